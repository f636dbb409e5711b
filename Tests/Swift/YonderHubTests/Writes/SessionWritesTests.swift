import Testing
import YonderRules
import YonderGeodesy
import YonderModel

@testable import YonderHub

@Suite struct SessionWritesTests {
    private let start = ContinuousClock.now
    private let allowances: WriteAllowances

    init() {
        let start = start
        let limits = WriteLimits(messages: RateLimit(burst: 2, perSecond: 1))
        allowances = WriteAllowances(limits, uptime: { start })
    }

    private func message(_ key: String) throws -> Submission {
        Submission(
            chat: try #require(ChatID(1)),
            sender: try #require(UserID(1)),
            key: key,
            action: .message(MessageDraft(tag: .text, content: key)),
            time: .now
        )
    }

    @Test func `so many writes wait for their commit, and each answer lets one more begin`() throws {
        var writes = SessionWrites(limit: 2)
        for _ in 0..<2 {
            #expect(writes.use(bytes: 1, of: nil, in: allowances) == nil)
            writes.begin()
        }
        #expect(writes.use(bytes: 1, of: nil, in: allowances)?.retryAfter == .milliseconds(100))
        writes.end()
        #expect(writes.use(bytes: 1, of: nil, in: allowances) == nil)
    }

    @Test func `sessions of one person use one allowance`() throws {
        let person = try #require(UserID(1))
        var (first, second) = (SessionWrites(limit: 9), SessionWrites(limit: 9))
        #expect(first.use(bytes: 1, of: person, in: allowances) == nil)
        #expect(second.use(bytes: 1, of: person, in: allowances) == nil)
        #expect(first.use(bytes: 1, of: person, in: allowances)?.code == .tooManyRequests)
    }

    @Test func `a session without a person uses no allowance`() {
        var writes = SessionWrites(limit: 9)
        for _ in 0..<9 { #expect(writes.use(bytes: 1, of: nil, in: allowances) == nil) }
        writes.returnCredit()
        #expect(allowances.count == 0)
    }

    @Test func `what a session borrowed and didn't use is returned once`() throws {
        let person = try #require(UserID(1))
        let limits = WriteLimits(messages: RateLimit(burst: 1_024, perSecond: 1))
        let start = start
        let allowances = WriteAllowances(limits, uptime: { start })
        var writes = SessionWrites(limit: 9)
        #expect(writes.use(bytes: 0, of: person, in: allowances) == nil)
        // A session borrows four of 1 024 at a time.
        let allowance = allowances.allowance(of: person)
        for _ in 0..<1_020 { #expect(allowance.useMessage(bytes: 0, at: start) == nil) }
        writes.returnCredit()
        writes.returnCredit()
        for _ in 0..<3 { #expect(allowance.useMessage(bytes: 0, at: start) == nil) }
        #expect(allowance.useMessage(bytes: 0, at: start) != nil)
    }

    @Test func `a message behind a refused one uses nothing`() throws {
        var writes = SessionWrites(limit: 1)
        #expect(writes.use(for: try message("a"), in: allowances, at: start) == nil)
        writes.begin()
        #expect(writes.use(for: try message("b"), in: allowances, at: start) != nil)
        writes.end()
        #expect(writes.use(for: try message("c"), in: allowances, at: start) != nil)
        #expect(writes.use(for: try message("b"), in: allowances, at: start) == nil, "c used none of the two")
    }
}
