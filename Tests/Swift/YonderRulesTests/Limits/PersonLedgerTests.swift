import Synchronization
import Testing
import YonderRules
import YonderGeodesy
import YonderModel

struct PersonLedgerTests {
    private final class Clock: Sendable {
        private let time = Mutex(Int64(1_764_000_000_000))
        var now: Timestamp { Timestamp(milliseconds: time.withLock(\.self)) }
        func set(_ milliseconds: Int64) { time.withLock { $0 = milliseconds } }
    }

    private let clock = Clock()
    private let (ann, ben, cy): (UserID, UserID, UserID)

    init() throws {
        (ann, ben, cy) = (try #require(UserID(1)), try #require(UserID(2)), try #require(UserID(3)))
    }

    private func ledger(_ limits: PersonLimits = PersonLimits()) -> PersonLedger {
        PersonLedger(limits, in: AttemptMemory(), now: { [clock] in clock.now })
    }

    private func wait(_ ledger: PersonLedger, _ use: PersonLedger.Use) async -> Duration? {
        do {
            try await ledger.take(use)
            return nil
        } catch {
            #expect(error.code == .tooManyRequests, "\(error)")
            return error.retryAfter
        }
    }

    @Test(arguments: [("rename", 10), ("block", 60), ("invitation", 50)])
    func `in an hour no more is done than its limit, and the next hour begins anew`(kind: String, limit: Int)
        async throws
    {
        let hour: Int64 = 3_600_000
        let use: PersonLedger.Use =
            switch kind {
            case "rename": .change(of: .name, by: ann)
            case "block": .block(ann)
            default: .invitation(ann)
            }
        let ledger = ledger()
        clock.set(490_000 * hour + 1_000)
        for _ in 0..<limit { #expect(await wait(ledger, use) == nil) }
        clock.set(490_000 * hour + hour - 5)
        #expect(await wait(ledger, use) == .milliseconds(5))
        #expect(await wait(ledger, .change(of: .name, by: ben)) == nil)
        clock.set(490_001 * hour)
        for _ in 0..<limit { #expect(await wait(ledger, use) == nil) }
        #expect(await wait(ledger, use) == .milliseconds(hour))
    }

    @Test(arguments: PersonLedger.ProfilePart.allCases)
    func `nodes count the changes of a part of a profile together, and each part by itself`(
        part: PersonLedger.ProfilePart
    ) async throws {
        let shared = AttemptMemory()
        let nodes = (0..<2).map { _ in
            PersonLedger(PersonLimits(), in: shared, now: { [clock] in clock.now })
        }
        for number in 0..<10 { #expect(await wait(nodes[number % 2], .change(of: part, by: ann)) == nil) }
        #expect(await wait(nodes[0], .change(of: part, by: ann)) != nil)
        for other in PersonLedger.ProfilePart.allCases where other != part {
            #expect(await wait(nodes[1], .change(of: other, by: ann)) == nil)
        }
    }

    @Test func `a person puts another into ten new chats a day, however`() async throws {
        let ledger = ledger()
        for number in 0..<10 {
            let use: PersonLedger.Use =
                number < 5 ? .chat(by: ann, with: [ben, cy, ben]) : .addition(by: ann, of: [ben])
            #expect(await wait(ledger, use) == nil)
        }
        for use: PersonLedger.Use in [.chat(by: ann, with: [ben, cy]), .addition(by: ann, of: [ben, cy])] {
            #expect(try #require(await wait(ledger, use)) <= .seconds(86_400))
        }
        // The refused ones counted nothing, and the limit is each one's own, in each direction.
        for _ in 0..<5 { #expect(await wait(ledger, .addition(by: ann, of: [cy])) == nil) }
        #expect(await wait(ledger, .addition(by: ann, of: [cy])) != nil)
        #expect(await wait(ledger, .chat(by: ben, with: [ann])) == nil)
        clock.set(clock.now.milliseconds + 86_400_000)
        #expect(await wait(ledger, .chat(by: ann, with: [ben, cy])) == nil)
    }

    @Test func `a person makes two hundred chats a day, and a chat that was there is given back`()
        async throws
    {
        let ledger = ledger()
        for number in 0..<200 {
            let other = try #require(UserID(Int64(100 + number)))
            await ledger.giveBack(try await ledger.take(.chat(by: ann, with: [other])))
            #expect(await wait(ledger, .chat(by: ann, with: [other])) == nil)
        }
        #expect(await wait(ledger, .chat(by: ann, with: [ben])) != nil)
        #expect(await wait(ledger, .addition(by: ann, of: [ben])) == nil)
    }

    @Test func `a limit of zero is none`() async throws {
        let ledger = ledger(.none)
        for _ in 0..<300 {
            #expect(await wait(ledger, .chat(by: ann, with: [ben])) == nil)
            #expect(await wait(ledger, .block(ann)) == nil)
        }
    }

    @Test func `positions of answers are charged when they were made, and a minute brings back the limit`() {
        let positions = AnsweredPositions(perMinute: 400_000)
        let start = ContinuousClock.now
        for _ in 0..<40 {
            #expect(positions.wait(of: ann, at: start) == .zero)
            positions.charge(10_000, to: ann, at: start)
        }
        #expect(positions.wait(of: ann, at: start) > .zero)
        #expect(positions.wait(of: ben, at: start) == .zero)
        #expect(positions.wait(of: ann, at: start + .seconds(1)) == .zero)
        let none = AnsweredPositions(perMinute: 0)
        none.charge(.max, to: ann, at: start)
        #expect(none.wait(of: ann, at: start) == .zero)
    }
}
