import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
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

    /// The latitude of a move as the feed writes it, and the events that the feed had before.
    private func move(of number: PointIndex.ID, _ feed: ObjectFeed) throws
        -> (news: [IndexEvent], latitude: Double?)
    {
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
        let page = try #require(pages.finish(total: nil, answer: nil).first)
        let frame = try ServerFrame(text: String(decoding: page, as: UTF8.self))
        guard case .object(let move)? = frame.region?.moved.first else { return (heard, nil) }
        return (heard, Coordinate(move.coordinate).latitude)
    }

    @Test func `the holder of the index has the events up to it, and writes the state at that time`() throws {
        let (first, second, third) = (object(1, 1), object(1, 2, updated: 1), object(1, 3, updated: 2))
        index.apply([ObjectChange(before: nil, after: first)])
        let feed = ObjectFeed(index) {}
        #expect(feed.takeNews().isEmpty)

        index.apply([ObjectChange(before: first, after: second)])
        #expect(feed.takeNews().count == 1)
        #expect(try move(of: 0, feed).latitude == 2)

        index.apply([ObjectChange(before: second, after: third)])
        let later = try move(of: 0, feed)
        #expect(later.news.count == 1 && later.latitude == 3)
        #expect(try move(of: 0, feed).news.isEmpty)
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
