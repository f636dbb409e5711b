import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderWire

@testable import YonderHub
@testable import YonderObjects

@Suite struct ObjectFeedTests {
    private static let name = ObjectSamples.field("name")
    private let index = ObjectIndex()

    private func object(_ id: Int64, _ latitude: Double, updated: Int64 = 0) -> Object {
        Object(
            id: ObjectSamples.id(id),
            entity: ObjectSamples.entity("cafe"),
            created: ObjectSamples.time,
            updated: ObjectSamples.time + .milliseconds(updated),
            fields: [
                Self.name: .text("x"), ObjectSamples.field("at"): ObjectSamples.location(latitude, 0),
            ]
        )
    }

    /// What the feed says a thing's move is, and which events came before.
    private func move(of number: PointIndex.ID, _ feed: ObjectFeed) -> (news: [IndexEvent], text: String) {
        var pages = RegionPageWriter(topic: 1)
        var heard: [IndexEvent] = []
        feed.visit { index, news, write in
            heard = news
            for event in news {
                if case .moved(let id, _, let coordinate) = event {
                    #expect(index.coordinate(of: id) == coordinate)
                }
            }
            write(number, .moved, &pages)
        }
        return (heard, String(decoding: pages.finish(total: nil, answer: nil).joined(), as: UTF8.self))
    }

    @Test func `the holder of the index has the events up to it, and writes the state at that time`() {
        let (first, second, third) = (object(1, 1), object(1, 2, updated: 1), object(1, 3, updated: 2))
        index.apply([ObjectChange(before: nil, after: first)])
        let feed = ObjectFeed(index) {}
        #expect(feed.takeNews().isEmpty)

        index.apply([ObjectChange(before: first, after: second)])
        #expect(feed.takeNews().count == 1)
        #expect(move(of: 0, feed).text.contains("\"latitude\":2,"))

        index.apply([ObjectChange(before: second, after: third)])
        let later = move(of: 0, feed)
        #expect(later.news.count == 1 && later.text.contains("\"latitude\":3,"))
        #expect(move(of: 0, feed).news.isEmpty)
    }

    @Test func `a number is free when every loop has let it go, or watches no more`() {
        let (one, two) = (object(1, 1), object(2, 2))
        index.apply([ObjectChange(before: nil, after: one)])
        let feeds = [ObjectFeed(index) {}, ObjectFeed(index) {}]
        index.apply([ObjectChange(before: one, after: nil)])
        #expect(feeds[0].takeNews().count == 1)
        feeds[0].release { _ in true }
        index.apply([ObjectChange(before: nil, after: two)])
        #expect(index.capacity == 2)

        feeds[0].release { _ in false }
        index.apply([ObjectChange(before: two, after: nil)])
        feeds[1].end()
        _ = feeds[0].takeNews()
        feeds[0].release { _ in false }
        for id in Int64(3)...4 { index.apply([ObjectChange(before: nil, after: object(id, 1))]) }
        #expect(index.capacity == 2)
    }
}
