import TestSupport
import Testing
import YonderModel

@testable import YonderBus

struct ChatGatesTests {
    private let start = ContinuousClock.now

    private func receive(_ numbers: [Int64], _ gates: ChatGates, in chat: ChatID = Commits.chat) -> [Int64] {
        var passed: [Int64] = []
        gates.receive(numbers.map { Commits.message($0, in: chat) }, at: start) {
            passed += $0.map(\.message.logNumber)
        }
        return passed
    }

    private func end(_ gates: ChatGates, last: Int64?) -> [Int64] {
        var passed: [Int64] = []
        _ = gates.end([Commits.chat], lasts: last.map { [Commits.chat: $0] } ?? [:], at: start) {
            passed += $0.map(\.message.logNumber)
        }
        return passed
    }

    @Test func `where nobody is interested in a chat, everything passes`() {
        let gates = ChatGates(isAlone: false)
        #expect(receive([7, 3], gates) == [7, 3])
        #expect(gates.counts.open == 0)
    }

    @Test func `what comes during the first read passes behind the number that was read`() {
        let gates = ChatGates(isAlone: false)
        _ = gates.begin([Commits.chat])
        #expect(receive([5, 6, 7], gates) == [])
        #expect(end(gates, last: 6) == [7])
        #expect(receive([8], gates) == [8])
        #expect(gates.head(of: Commits.chat) == 8)
    }

    @Test func `a frame that is missing behind the first read is read`() {
        let gates = ChatGates(isAlone: false)
        _ = gates.begin([Commits.chat])
        #expect(receive([8], gates) == [])
        #expect(end(gates, last: 6) == [])
        let wishes = gates.takeWishes(at: start + .seconds(1))
        #expect(wishes.map(\.wish) == [ChatGate.Wish(after: 6, below: 8)])
        var passed: [Int64] = []
        gates.receive(
            read: [Commits.message(7)],
            of: Commits.chat,
            first: 1,
            isComplete: true,
            at: start
        ) { passed += $0.map(\.message.logNumber) }
        #expect(passed == [7, 8])
        #expect(gates.isSettled)
    }

    @Test func `a first read that fails leaves no gate, unless another is under way`() {
        let gates = ChatGates(isAlone: false)
        _ = gates.begin([Commits.chat])
        _ = gates.begin([Commits.chat])
        #expect(receive([5], gates) == [])
        #expect(end(gates, last: nil) == [])
        #expect(receive([6], gates) == [])
        #expect(end(gates, last: nil) == [5, 6])
        #expect(gates.counts.open == 0)
    }

    @Test func `a read that ends behind one that opened the gate later must be made again`() {
        let gates = ChatGates(isAlone: false)
        let (first, second) = (gates.begin([Commits.chat]), gates.begin([Commits.chat]))
        #expect(receive([6, 7], gates) == [])
        var passed: [Published] = []
        let isCurrent = [(first, Int64(7)), (second, 5)].map { chats, last in
            gates.end(chats, lasts: [Commits.chat: last], at: start) { passed += $0 }
        }
        #expect(isCurrent == [true, false] && passed.isEmpty)
        #expect(!gates.wereOpen([Commits.chat: 5]))
        #expect(gates.begin([Commits.chat]).isEmpty)
        #expect(receive([8], gates) == [8])
        #expect(gates.wereOpen([Commits.chat: 7]))
    }

    @Test func `a read that ends behind one that opened the gate earlier is good`() {
        let gates = ChatGates(isAlone: false)
        let (first, second) = (gates.begin([Commits.chat]), gates.begin([Commits.chat]))
        #expect(receive([6, 7], gates) == [])
        var passed: [Int64] = []
        let isCurrent = [(first, Int64(5)), (second, 6)].map { chats, last in
            gates.end(chats, lasts: [Commits.chat: last], at: start) { passed += $0.map(\.message.logNumber) }
        }
        #expect(isCurrent == [true, true] && passed == [6, 7])
    }

    @Test func `a second read of an open gate doesn't move it`() {
        let gates = ChatGates(isAlone: false)
        _ = gates.begin([Commits.chat])
        #expect(end(gates, last: 3) == [])
        _ = gates.begin([Commits.chat])
        #expect(receive([4], gates) == [4])
        #expect(end(gates, last: 9) == [])
        #expect(gates.head(of: Commits.chat) == 4)
    }

    @Test func `a gate closes when nobody needs it twice in a row`() {
        let gates = ChatGates(isAlone: false)
        _ = gates.begin([Commits.chat])
        #expect(end(gates, last: 3) == [])
        #expect(gates.close(except: []).isEmpty)
        #expect(gates.close(except: [Commits.chat]).isEmpty)
        #expect(gates.close(except: []).isEmpty)
        #expect(gates.close(except: []) == [Commits.chat])
        #expect(gates.counts.open == 0)
    }

    @Test func `a gate that was read from meanwhile stays open`() {
        let gates = ChatGates(isAlone: false)
        _ = gates.begin([Commits.chat])
        #expect(end(gates, last: 3) == [])
        #expect(gates.close(except: []).isEmpty)
        #expect(gates.begin([Commits.chat]).isEmpty)
        #expect(gates.close(except: []).isEmpty)
        #expect(gates.close(except: []) == [Commits.chat])
    }

    @Test func `a gate that waits for a message stays open`() {
        let gates = ChatGates(isAlone: false)
        _ = gates.begin([Commits.chat])
        #expect(end(gates, last: 3) == [])
        #expect(receive([5], gates) == [])
        for _ in 0..<3 { #expect(gates.close(except: []).isEmpty) }
        #expect(receive([4], gates) == [4, 5])
    }

    @Test func `a node that is alone waits 500 ms for a commit of its own that is told late, then reads it`()
    {
        let gates = ChatGates(isAlone: true)
        _ = gates.begin([Commits.chat])
        #expect(end(gates, last: 5) == [])
        #expect(receive([7], gates) == [])
        #expect(gates.takeWishes(at: start + .milliseconds(499)).isEmpty)
        let wishes = gates.takeWishes(at: start + .milliseconds(500))
        #expect(wishes.map(\.wish) == [ChatGate.Wish(after: 5, below: 7)])
        #expect(receive([6], gates) == [6, 7], "it may come while it is read")
        var passed: [Published] = []
        let read = [Commits.message(6)]
        gates.receive(read: read, of: Commits.chat, first: 1, isComplete: true, at: start) { passed += $0 }
        #expect(passed.isEmpty && gates.isSettled)
    }

    @Test func `a number that the store doesn't have at two reads stops no later one, and the repair rests`()
    {
        let gates = ChatGates(isAlone: true)
        _ = gates.begin([Commits.chat])
        #expect(end(gates, last: 5) == [])
        #expect(receive([7], gates) == [])
        var passed: [Int64] = []
        for second in 1...2 {
            #expect(passed.isEmpty)
            #expect(gates.takeWishes(at: start + .seconds(second)).count == 1)
            gates.receive(read: [], of: Commits.chat, first: 1, isComplete: true, at: start) {
                passed += $0.map(\.message.logNumber)
            }
        }
        #expect(passed == [7] && gates.isSettled)
    }

    @Test func `what was held beyond the limits is read from the store, and nothing is lost`() {
        let gates = ChatGates(isAlone: true)
        _ = gates.begin([Commits.chat])
        #expect(end(gates, last: 5) == [])
        let last = Int64(5 + ChatGate.limits.count + 50)
        #expect(receive(Array(7...last), gates).isEmpty)
        var passed = receive([6], gates)
        var reads = 0
        while !gates.isSettled, reads < 10 {
            reads += 1
            for (chat, wish) in gates.takeWishes(at: start + .seconds(1)) {
                let page = (wish.after + 1)..<min(wish.below ?? last + 1, last + 1)
                gates.receive(
                    read: page.map { Commits.message($0) },
                    of: chat,
                    first: 1,
                    isComplete: true,
                    at: start
                ) { passed += $0.map(\.message.logNumber) }
            }
        }
        #expect(passed == Array(6...last) && gates.isSettled)
    }

    @Test func `a gate that got what it missed by itself wishes for nothing, and isn't looked at again`() {
        let gates = ChatGates(isAlone: false)
        _ = gates.begin([Commits.chat])
        #expect(end(gates, last: 3) == [])
        #expect(gates.sweep([Commits.chat: 4], past: gates.heads, isUrgent: false).isEmpty)
        #expect(!gates.isSettled)
        #expect(receive([4], gates) == [4])
        #expect(gates.takeWishes(at: start).isEmpty)
        #expect(gates.isSettled)
    }

    @Test
    func `where the store has lost what has passed, what is committed anew under the same numbers passes`() {
        let gates = ChatGates(isAlone: false)
        _ = gates.begin([Commits.chat])
        #expect(end(gates, last: 10) == [])
        let past = gates.heads
        #expect(gates.sweep([Commits.chat: 5], past: past, isUrgent: false).isEmpty, "one read isn't enough")
        #expect(gates.sweep([Commits.chat: 5], past: past, isUrgent: false) == [Commits.chat])
        #expect(receive([8, 7], gates).isEmpty)
        #expect(receive([6], gates) == [6, 7, 8], "in order")
    }

    @Test func `what passed while the store was read isn't taken for lost, however often`() {
        let gates = ChatGates(isAlone: false)
        _ = gates.begin([Commits.chat])
        #expect(end(gates, last: 10) == [])
        for last in Int64(10)...20 {
            let past = gates.heads
            #expect(receive([last + 1], gates) == [last + 1])
            #expect(gates.sweep([Commits.chat: last], past: past, isUrgent: true).isEmpty)
        }
        #expect(receive([23], gates).isEmpty)
        #expect(receive([22], gates) == [22, 23])
    }

    @Test func `the hold is three times the lateness of frames, in 15 to 500 ms`() {
        var hold = HoldTime()
        #expect(hold.hold == .milliseconds(15))
        for _ in 0..<200 { hold.note(lateness: 40) }
        #expect((118...120).contains(hold.hold / .milliseconds(1)))
        for _ in 0..<200 { hold.note(lateness: 9_000) }
        #expect(hold.hold == .milliseconds(500))
        for _ in 0..<200 { hold.note(lateness: -5) }
        #expect(hold.hold == .milliseconds(15))
        #expect(HoldTime(isAlone: true).hold == .milliseconds(500))
    }
}
