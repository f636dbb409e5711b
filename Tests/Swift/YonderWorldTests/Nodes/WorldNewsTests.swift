import TestSupport
import Testing
import YonderBus

@testable import YonderWorld

@Suite struct WorldNewsTests {
    private static let news: [WorldNews] = [
        .happened([]),
        .happened([.joined(.numbered(1)), .moved(.numbered(1), 5), .left(.numbered(31))]),
        .pins([], part: 0, isLast: true),
        .pins([.init(.numbered(2)), .init(.numbered(3), 7)], part: 12, isLast: false),
    ]

    @Test func `all news are read as they were written`() throws {
        for news in Self.news { #expect(try WorldNews(news.encoded()) == news) }
    }

    @Test func `news that end early, go on, or are of another kind are refused`() {
        for bytes in Self.news.map({ $0.encoded() }) {
            for end in bytes.indices {
                #expect(throws: BusFault.self) { try WorldNews(Array(bytes[..<end])) }
            }
            #expect(throws: BusFault.self) { try WorldNews(bytes + [0]) }
            #expect(throws: BusFault.self) { try WorldNews([2] + bytes.dropFirst()) }
        }
    }

    @Test func `a position that no member can have, and another name, are refused`() {
        for position in ["", "1", "1,2\"", "91,0", "1,2,3", "NaN,1"] {
            let news = WorldNews.happened([.moved(.numbered(1), at: Array(position.utf8))])
            #expect(throws: BusFault.self) { try WorldNews(news.encoded()) }
        }
        var bytes = WorldNews.happened([.joined(.numbered(1))]).encoded()
        bytes[bytes.count - 1] = UInt8(ascii: "\"")
        #expect(throws: BusFault.self) { try WorldNews(bytes) }
    }

    @Test(arguments: UInt64(0)..<20)
    func `changed bytes never crash the reader, and what it reads can be sent on`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for var bytes in Self.news.map({ $0.encoded() }) {
            for _ in 0..<40 {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                bytes[index] = UInt8.random(in: 0...255, using: &random)
                if let news = try? WorldNews(bytes) { #expect(news.encoded() == bytes) }
            }
        }
    }

    @Test func `events are divided into frames that the bus takes, in order`() throws {
        let long = Array(
            (String(repeating: "1", count: 2) + "." + String(repeating: "0", count: 250) + ",1").utf8
        )
        let events = (0..<4_000).map { WorldEvent.moved(.numbered($0), at: long) }
        let frames = WorldNews.frames(of: events)
        #expect(frames.count > 1 && frames.allSatisfy { $0.encoded().count < BusFrame.byteLimit - 64 })
        let joined = frames.flatMap { news -> [WorldEvent] in
            if case .happened(let events) = news { events } else { [] }
        }
        #expect(joined == events)
        #expect(WorldNews.frames(of: []) == [])
    }

    @Test func `a part of an answer is a frame that the bus takes`() throws {
        var owner = WorldReplica(node: 1)
        var random = SystemRandomNumberGenerator()
        let long = Array(
            (String(repeating: "1", count: 2) + "." + String(repeating: "0", count: 250) + ",1").utf8
        )
        for _ in 0..<3_000 {
            let member = WorldID.random(using: &random)
            _ = owner.happened([.joined(member), .moved(member, at: long)])
        }
        _ = owner.asked()
        var pins = 0
        while let part = owner.takePart() {
            #expect(part.encoded().count < BusFrame.byteLimit - 64)
            if case .pins(let more, _, _) = part { pins += more.count }
        }
        #expect(pins == 3_000)
    }
}
