import TestSupport
import Synchronization
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@testable import YonderAccounts

/// Hashes that a signed-in person causes count for the person, on all nodes that share a ledger: right passwords do, too.
@Suite struct RightPasswordTests {
    private static let password = "correct horse"
    private let store = MemoryStore()
    private let log = RecordingLog()
    private let nodes: [Accounts]

    init() {
        let start = ContinuousClock.now
        let (store, ledger, logger) = (store, AttemptMemory(uptime: { start }), log.logger)
        nodes = (0..<2).map { _ in
            Accounts(
                store: store,
                passwords: PasswordHasher(cost: PasswordCost(exponent: 2)),
                attempts: ledger,
                clock: ExpiryClock(wall: { Timestamp(milliseconds: 1_764_000_000_000) }, uptime: { start }),
                log: SignInLog(logger: logger, uptime: { start })
            )
        }
    }

    private static func origin(_ address: String) -> SignInOrigin {
        SignInOrigin(network: address, subnet: address)
    }

    private func ada() async throws -> User {
        let user = try await nodes[0].create(Profile(name: "Ada"), login: "ada", under: .server)
        try await nodes[0].overridePassword(Self.password, of: user.id, under: .server)
        return user
    }

    private func session(of user: User, on node: Accounts, from origin: SignInOrigin) async throws -> Caller {
        let signedIn = try await node.signIn(login: "ada", password: Self.password, from: origin)
        return Caller(
            person: user,
            credential: signedIn.session.hash,
            kind: .session,
            expires: nil,
            version: try await store.account(user.id).version
        )
    }

    private func code(_ body: () async throws(SharingError) -> Void) async -> SharingError.Code? {
        do throws(SharingError) {
            try await body()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `a person sets ten passwords with the right current one, and then one in 30 s, on all nodes`()
        async throws
    {
        let user = try await ada()
        var codes: [SharingError.Code?] = []
        for number in 0..<11 {
            let origin = Self.origin("192.0.2.\(number)")
            let node = nodes[number % 2]
            // Each time in another session.
            let caller = try await session(of: user, on: node, from: origin)
            codes.append(
                await code { () throws(SharingError) in
                    try await node.setPassword(
                        Self.password,
                        current: Self.password,
                        endsTokens: false,
                        by: caller,
                        from: origin
                    )
                }
            )
        }
        #expect(codes == Array(repeating: nil, count: 10) + [.tooManyRequests])
    }

    @Test
    func `a person sends sixty wrong current passwords over all sessions, and none of them uses these up`()
        async throws
    {
        let user = try await ada()
        let origin = Self.origin("192.0.2.1")
        func wrong(_ count: Int) async throws -> [SharingError.Code?] {
            let caller = try await session(of: user, on: nodes[0], from: origin)
            var codes: [SharingError.Code?] = []
            for number in 0..<count {
                codes.append(
                    await code { () throws(SharingError) in
                        try await nodes[number % 2].confirm("wrong horse", of: caller, from: origin)
                    }
                )
            }
            return codes
        }
        let first = try await wrong(20)
        #expect(
            first == Array(repeating: .invalidCredentials, count: 10)
                + Array(repeating: .tooManyRequests, count: 10)
        )
        for _ in 0..<5 { #expect(try await wrong(10) == Array(repeating: .invalidCredentials, count: 10)) }
        #expect(try await wrong(1) == [.tooManyRequests])
    }

    @Test func `an account signs in sixty times with the right password, and wrong ones don't count there`()
        async throws
    {
        let user = try await ada()
        let origin = Self.origin("192.0.2.1")
        func signIn(_ password: String, _ node: Accounts) async -> SharingError.Code? {
            await code { () throws(SharingError) in
                _ = try await node.signIn(login: "ada", password: password, from: origin)
            }
        }
        #expect(await signIn(Self.password, nodes[0]) == nil)
        for _ in 0..<5 { #expect(await signIn("wrong horse", nodes[1]) == .invalidCredentials) }
        for number in 1..<60 { #expect(await signIn(Self.password, nodes[number % 2]) == nil) }
        #expect(await signIn(Self.password, nodes[0]) == .tooManyRequests)
        // A link takes no hash.
        let link = try await nodes[0].makeLink(for: user.id, under: .server).text
        #expect(
            await code { () throws(SharingError) in _ = try await nodes[0].signIn(link: link, from: origin) }
                == nil
        )
    }

    @Test func `an operator sets sixty passwords at once, and the user who runs the server any number`()
        async throws
    {
        let user = try await ada()
        let author = Author(name: "1", actor: .operator, network: "192.0.2.1")
        func set(by author: Author, _ node: Accounts) async -> SharingError.Code? {
            await code { () throws(SharingError) in
                try await node.overridePassword(Self.password, of: user.id, by: author, under: .server)
            }
        }
        for number in 0..<60 { #expect(await set(by: author, nodes[number % 2]) == nil) }
        #expect(await set(by: author, nodes[1]) == .tooManyRequests)
        #expect(await set(by: .server, nodes[1]) == nil)
    }

    @Test
    func `a person who changes without a pause writes sixty lines into the log, and another one theirs`()
        async throws
    {
        let (ann, ben) = (try #require(UserID(1)), try #require(UserID(2)))
        let before = log.lines.withLock(\.count)
        for _ in 0..<1_000 { nodes[0].logChange("other sessions ended", of: ann, by: "\(ann)") }
        nodes[0].logChange("password", of: ben, by: "\(ben)")
        #expect(log.lines.withLock(\.count) - before == 61)
    }
}
