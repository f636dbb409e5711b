import NIOCore
import Synchronization
import Testing
import YonderBus
import YonderRules
import YonderGeodesy
import YonderModel
import YonderWire

@testable import YonderHub

@Suite(.timeLimit(.minutes(20))) struct WriteLimitTests {
    private let start = ContinuousClock.now
    private let limits = WriteLimits(
        messages: RateLimit(burst: 3, perSecond: 10),
        bytes: RateLimit(burst: 1_000, perSecond: 1_000),
        objects: RateLimit(burst: 2, perSecond: 1)
    )

    private func user(_ number: Int64) throws -> UserID { try #require(UserID(number)) }

    @Test func `messages and bytes are counted, and what exceeds either is refused with a time to wait`() {
        let allowance = WriteAllowance(limits)
        for _ in 0..<2 { #expect(allowance.useMessage(bytes: 500, at: start) == nil) }
        let refusal = allowance.useMessage(bytes: 500, at: start)
        #expect(refusal?.code == .tooManyRequests && refusal?.retryAfter == .seconds(1))
        #expect(
            allowance.useMessage(bytes: 0, at: start + .milliseconds(999)) != nil,
            "writing rests for a second"
        )
        #expect(allowance.useMessage(bytes: 500, at: start + .seconds(1)) == nil)
    }

    @Test func `a day of a clock that steps back locks nobody out, as no wall clock is asked`() {
        let allowance = WriteAllowance(limits)
        for _ in 0..<2 { #expect(allowance.useObject(at: start) == nil) }
        let wait = allowance.useObject(at: start)?.retryAfter ?? .seconds(1_000)
        #expect(wait <= .seconds(2))
        #expect(allowance.useObject(at: start + wait) == nil)
    }

    @Test func `what a writer uses on one node is used on the others`() throws {
        let reports = Mutex<[(WriteUse, Writer)]>([])
        let limits = WriteLimits(messages: RateLimit(burst: 400, perSecond: 1))
        let here = WriteAllowances(
            limits,
            report: { use, writer in reports.withLock { $0.append((use, writer)) } }
        )
        let there = WriteAllowances(limits)
        let person = Writer.person(try user(7))
        for _ in 0..<303 {
            #expect(here.allowance(of: person, at: start).useMessage(bytes: 2, at: start) == nil)
        }
        // Each hundredth of the limit is reported.
        let sent = reports.withLock(\.self)
        #expect(sent.map(\.0) == Array(repeating: WriteUse(messages: 4, bytes: 8), count: 75))
        for (use, writer) in sent { there.receive(use, of: writer, at: start) }
        for _ in 0..<100 {
            #expect(there.allowance(of: person, at: start).useMessage(bytes: 1, at: start) == nil)
        }
        #expect(there.allowance(of: person, at: start).useMessage(bytes: 1, at: start) != nil)
        let other = there.allowance(of: try user(8), at: start)
        for _ in 0..<400 { #expect(other.useMessage(bytes: 1, at: start) == nil) }
    }

    @Test func `what two nodes admitted at once beyond a limit is waited for, at most a burst`() throws {
        let limits = WriteLimits(messages: RateLimit(burst: 10, perSecond: 1))
        let allowances = WriteAllowances(limits)
        let person = Writer.person(try user(7))
        let allowance = allowances.allowance(of: person, at: start)
        for _ in 0..<10 { #expect(allowance.useMessage(bytes: 1, at: start) == nil) }
        allowances.receive(WriteUse(messages: 5), of: person, at: start)
        #expect(allowance.useMessage(bytes: 1, at: start)?.retryAfter == .seconds(6))
        allowances.receive(WriteUse(messages: .max), of: person, at: start + .seconds(6))
        #expect(allowance.useMessage(bytes: 1, at: start + .seconds(6))?.retryAfter == .seconds(10))
    }

    @Test func `what was used on another node takes nothing off a wait that is longer already`() {
        var bucket = TokenBucket(RateLimit(burst: 10, perSecond: 1))
        #expect(bucket.take(50, at: start) == nil)
        let wait = bucket.wait(at: start)
        bucket.charge(1, at: start)
        #expect(bucket.wait(at: start) == wait)
    }

    @Test func `so many files are imported at once`() {
        let allowance = WriteAllowance(WriteLimits(imports: 2))
        #expect(allowance.beginImport() == nil && allowance.beginImport() == nil)
        #expect(allowance.beginImport()?.code == .tooManyRequests)
        allowance.endImport()
        #expect(allowance.beginImport() == nil)
    }

    @Test func `each writer has one allowance, and full ones are removed`() throws {
        let all = WriteAllowances(limits)
        let held = all.allowance(of: try user(1), at: start)
        #expect(held === all.allowance(of: try user(1), at: start))
        for number in Int64(2)...20_000 {
            #expect(all.allowance(of: try user(number), at: start).useMessage(bytes: 1, at: start) == nil)
        }
        #expect(all.count == 20_000, "who has used something is remembered")
        for number in Int64(20_001)...60_000 {
            _ = all.allowance(of: try user(number), at: start + .seconds(60))
        }
        #expect(all.count < 45_000)
        #expect(held === all.allowance(of: try user(1), at: start + .seconds(60)), "a session holds it")
    }

    @Test func `a person has one limit over all sessions, loops and REST`() async throws {
        let writes = WriteLimits(messages: RateLimit(burst: 30, interval: .seconds(3_600)))
        try await ExchangeHarness.run(settings: HubSettings(writes: writes)) { harness in
            // The harness's chat was the first write of person 0.
            let sessions = [try await harness.connect(0), try await harness.connect(0)]
            for number in 0..<20 {
                try await sessions[number % 2].send(harness.message("k\(number)"))
                _ = try await sessions[number % 2].next(\.sent)
            }
            for number in 20..<29 {
                _ = try await harness.exchange.submit(harness.submission("k\(number)", from: 0))
            }
            await #expect(throws: SharingError.self) {
                try await harness.exchange.submit(harness.submission("k29", from: 0))
            }
            for session in sessions {
                try await session.send(harness.message("k30", #","keep":false"#))
                let error = try await session.until { $0.key == "k30" }.refusal?.error
                #expect(error?.code == .tooManyRequests && error?.retryAfter ?? .zero > .seconds(1))
            }
            let other = try await harness.connect(1)
            try await other.send(harness.message("a"))
            _ = try await other.next(\.sent)
        }
    }

    @Test func `behind a refused message none is accepted before it was sent again`() async throws {
        // No time passes: a refused message is waited for so long only.
        let start = ContinuousClock.now
        try await ExchangeHarness.run(settings: HubSettings(inFlightLimit: 2), uptime: { start }) { harness in
            let client = try await harness.connect(0)
            try await client.send((1...4).map { harness.message("k\($0)") })
            var refused: [String?] = []
            var sent = 0
            while refused.count < 2 || sent < 2 {
                let frame = try #require(try await client.next())
                if let refusal = frame.refusal { refused.append(refusal.key) }
                if frame.sent != nil { sent += 1 }
            }
            #expect(refused == ["k3", "k4"])
            try await client.send(harness.message("k5"))
            let refusal = try await client.until { $0.key == "k5" }.refusal
            #expect(refusal?.error.code == .tooManyRequests)
            for key in ["k3", "k4", "k5"] {
                try await client.send(harness.message(key))
                #expect(try await client.until { $0.key == key }.sent != nil)
            }
        }
    }
}

extension ExchangeHarness {
    /// A message as REST submits it.
    fileprivate func submission(_ key: String, from person: Int) -> Submission {
        Submission(
            chat: chat,
            sender: people[person].id,
            key: key,
            action: .message(MessageDraft(tag: .text, content: key)),
            time: .now
        )
    }
}
