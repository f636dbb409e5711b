import TestSupport
import Testing
import YonderModel
import YonderWire

@testable import YonderClient

@Suite struct OutgoingTests {
    private func item(_ number: Int) -> Outgoing.Item {
        let key = "k\(number)"
        return Outgoing.Item(
            id: OutgoingKey(key: key, chat: Sample.chat),
            frame: .leave(key: key, chat: Sample.chat),
            isKept: true
        )
    }

    @Test func `nothing is written without a connection, and then in order`() {
        var outgoing = Outgoing()
        for number in 0..<3 { #expect(outgoing.add(item(number)) == []) }
        #expect(outgoing.connected() == (0..<3).map { item($0).frame })
        #expect(outgoing.add(item(3)) == [item(3).frame])
    }

    @Test func `at most a window is in flight`() {
        var outgoing = Outgoing()
        _ = outgoing.connected()
        let written = (0..<40).flatMap { outgoing.add(item($0)) }
        #expect(written.count == Outgoing.window)
        let (answered, next) = outgoing.answered(item(5).id)
        #expect(answered == item(5))
        #expect(next == [item(Outgoing.window).frame])
    }

    @Test func `messages in flight are sent again first, and a repeated one is sent once`() {
        var outgoing = Outgoing()
        _ = outgoing.connected()
        for number in 0..<40 { _ = outgoing.add(item(number)) }
        _ = outgoing.answered(item(0).id)
        outgoing.disconnected()
        #expect(outgoing.add(item(7)) == [])
        #expect(outgoing.connected() == (1...Outgoing.window).map { item($0).frame })
    }

    private let busy = SharingError(.tooManyRequests, "", retryAfter: .seconds(2))

    /// The pause that a refusal asks for.
    private func pause(_ refusal: Outgoing.Refusal) throws -> Outgoing.Pause {
        guard case .later(let pause, .seconds(2)) = refusal else { throw Unexpected(refusal: refusal) }
        return pause
    }

    private struct Unexpected: Error {
        let refusal: Outgoing.Refusal
    }

    @Test func `messages refused for load are sent again in their order, after a pause`() throws {
        var outgoing = Outgoing()
        _ = outgoing.connected()
        for number in 0..<4 { _ = outgoing.add(item(number)) }
        let first = try pause(outgoing.refused(item(1).id, busy).0)
        let second = try pause(outgoing.refused(item(2).id, busy).0)
        #expect(outgoing.add(item(4)) == [])
        #expect(outgoing.answered(item(0).id).1 == [])
        #expect(outgoing.resume(first) == [], "a later pause takes its place")
        #expect(outgoing.resume(second) == [], "an answer is still missing")
        let third = try pause(outgoing.refused(item(3).id, busy).0)
        #expect(outgoing.resume(second) == [])
        #expect(outgoing.resume(third) == (1...4).map { item($0).frame })
    }

    @Test func `after a pause nothing is written before everything in flight is answered`() throws {
        var outgoing = Outgoing()
        _ = outgoing.connected()
        for number in 0..<3 { _ = outgoing.add(item(number)) }
        let pause = try pause(outgoing.refused(item(0).id, busy).0)
        #expect(outgoing.resume(pause) == [])
        #expect(outgoing.answered(item(1).id).1 == [])
        #expect(outgoing.answered(item(2).id).1 == [item(0).frame])
    }

    @Test func `a server that refuses what is too much gets everything once, in order`() throws {
        for seed in UInt64(0)..<100 {
            var random = SeededGenerator(seed: seed)
            var outgoing = Outgoing()
            var onTheWire = outgoing.connected()
            for number in 0..<300 { onTheWire += outgoing.add(item(number)) }
            var accepted: [ClientFrame] = []
            var tokens = 20
            var pause: Outgoing.Pause?
            while accepted.count < 300 {
                guard !onTheWire.isEmpty, case .leave(let key, let chat, _) = onTheWire[0] else {
                    tokens = Int.random(in: 1...60, using: &random)
                    onTheWire += outgoing.resume(try #require(pause))
                    continue
                }
                let frame = onTheWire.removeFirst()
                if tokens > 0 {
                    tokens -= 1
                    accepted.append(frame)
                    onTheWire += outgoing.answered(OutgoingKey(key: key, chat: chat)).1
                } else {
                    pause = try self.pause(outgoing.refused(OutgoingKey(key: key, chat: chat), busy).0)
                }
            }
            #expect(accepted == (0..<300).map { item($0).frame }, "seed \(seed)")
        }
    }

    @Test func `a message that was refused for good is removed`() {
        var outgoing = Outgoing()
        _ = outgoing.connected()
        _ = outgoing.add(item(1))
        #expect(outgoing.refused(item(1).id, SharingError(.notParticipant, "")).0 == .failed(item(1)))
        #expect(outgoing.count == 0)
        #expect(outgoing.refused(item(1).id, SharingError(.notParticipant, "")).0 == .unknown)
    }

    @Test func `over any cuts everything is answered once, and first goes out in order`() {
        for seed in UInt64(0)..<200 {
            var random = SeededGenerator(seed: seed)
            var outgoing = Outgoing()
            var onTheWire: [ClientFrame] = []
            var seen: [ClientFrame] = []
            var added = 0
            var answered = 0
            func write(_ frames: [ClientFrame]) {
                onTheWire += frames
                for frame in frames where !seen.contains(frame) { seen.append(frame) }
            }
            while answered < 100 {
                switch random.next() % 6 {
                case 0...2 where added < 100:
                    write(outgoing.add(item(added)))
                    added = min(100, added + 1)
                case 3:
                    outgoing.disconnected()
                    onTheWire = []
                    write(outgoing.connected())
                default:
                    guard !onTheWire.isEmpty, case .leave(let key, let chat, _) = onTheWire.removeFirst()
                    else {
                        write(outgoing.connected())
                        continue
                    }
                    let (item, frames) = outgoing.answered(OutgoingKey(key: key, chat: chat))
                    if item != nil { answered += 1 }
                    write(frames)
                }
            }
            let isInOrder = seen == (0..<100).map { item($0).frame }
            #expect(isInOrder, "seed \(seed)")
            #expect(outgoing.count == 0, "seed \(seed)")
        }
    }
}
