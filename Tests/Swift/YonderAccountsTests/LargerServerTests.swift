import Logging
import Synchronization
import TestSupport
import Testing
import YonderRules
import YonderGeodesy
import YonderModel

@testable import YonderAccounts

/// Passwords that were set on a server with more memory.
@Suite struct LargerServerTests {
    private static let password = "correct horse"
    private static let home = SignInOrigin(network: "192.0.2.7", subnet: "192.0.2.0/24")
    private static let elsewhere = SignInOrigin(network: "203.0.113.9", subnet: "203.0.113.0/24")

    private let store = MemoryStore()
    private let clock = ManualWall()

    /// A server on which a hash of cost `2^exponent` uses up the memory.
    private func server(_ exponent: Int) -> Accounts {
        let cost = PasswordCost(exponent: exponent)
        let start = ContinuousClock.now
        return Accounts(
            store: store,
            passwords: PasswordHasher(cost: cost, memoryLimit: cost.memory),
            attempts: AttemptMemory(uptime: { start }),
            clock: ExpiryClock(wall: { [clock] in clock.now }, uptime: { start }),
            log: SignInLog(logger: Logger(label: "test"), uptime: { start })
        )
    }

    /// Creates Ada's account with a password hash of a larger server, on which Ada signed in from the home network.
    private func ada() async throws -> UserID {
        let larger = server(6)
        let user = try await larger.create(Profile(name: "Ada"), login: "ada", under: .server).id
        try await larger.overridePassword(Self.password, of: user, under: .server)
        _ = try await larger.signIn(login: "ada", password: Self.password, from: Self.home)
        return user
    }

    /// A session that a link starts.
    private func session(of user: UserID, _ accounts: Accounts) async throws -> Caller {
        let link = try await accounts.makeLink(for: user, under: .server).text
        let signedIn = try await accounts.signIn(link: link, from: Self.home)
        return Caller(person: signedIn.user, credential: signedIn.session.hash, kind: .session)
    }

    private func refusal(_ body: () async throws -> Void) async -> SharingError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? SharingError
        }
    }

    private func refusal(
        of accounts: Accounts,
        _ login: String,
        _ password: String = password,
        from origin: SignInOrigin
    ) async -> SharingError? {
        await refusal { _ = try await accounts.signIn(login: login, password: password, from: origin) }
    }

    @Test func `a password of a larger server isn't checked, and a link signs in`() async throws {
        let user = try await ada()
        let accounts = server(4)
        #expect(await refusal(of: accounts, "ada", from: Self.home)?.code == .passwordNotChecked)
        #expect(
            await refusal(of: accounts, "ada", "wrong horse", from: Self.home)?.code == .passwordNotChecked
        )
        let link = try await accounts.makeLink(for: user, under: .server).text
        #expect(try await accounts.signIn(link: link, from: Self.elsewhere).user.id == user)
    }

    @Test func `a stranger gets one answer for that, for a wrong password and for an unknown name`()
        async throws
    {
        _ = try await ada()
        let accounts = server(4)
        let ben = try await accounts.create(Profile(name: "Ben"), login: "ben", under: .server)
        try await accounts.overridePassword("ben's password", of: ben.id, under: .server)
        let answers = [
            await refusal(of: accounts, "ada", from: Self.elsewhere),
            await refusal(of: accounts, "ben", "wrong horse", from: Self.elsewhere),
            await refusal(of: accounts, "nemo", from: Self.elsewhere),
        ]
        #expect(answers[0]?.code == .invalidCredentials)
        #expect(answers[0]?.message.contains("sign in with a link") == true)
        #expect(Set(answers).count == 1)
        // A server that checks all passwords has no such advice.
        let all = Accounts(
            store: store,
            passwords: PasswordHasher(cost: PasswordCost(exponent: 4)),
            clock: ExpiryClock(wall: { [clock] in clock.now }),
            log: SignInLog(logger: Logger(label: "test"), uptime: { .now })
        )
        let plain = await refusal(of: all, "ben", "wrong horse", from: Self.elsewhere)
        #expect(plain?.message == "The name or the password is wrong.")
    }

    @Test func `attempts on a password that isn't checked are counted as others are`() async throws {
        _ = try await ada()
        let accounts = server(4)
        for login in ["ada", "nemo"] {
            for _ in 0..<10 { _ = await refusal(of: accounts, login, from: Self.elsewhere) }
            #expect(await refusal(of: accounts, login, from: Self.elsewhere)?.code == .tooManyRequests)
        }
    }

    @Test func `a session of the last 15 minutes sets a new password in place of one that can't be checked`()
        async throws
    {
        let user = try await ada()
        let accounts = server(4)
        let first = try await session(of: user, accounts)
        let token = try await accounts.makeToken("", for: user, under: .server)
        let program = Caller(person: first.person, credential: token.hash, kind: .token)
        clock.advance(by: .seconds(15 * 60 - 1))
        for current in [nil, "wrong horse"] {
            #expect(await refusal { try await accounts.confirm(current, of: first, from: Self.home) } == nil)
        }
        let refused = await refusal { try await accounts.confirm(nil, of: program, from: Self.home) }
        #expect(refused?.code == .passwordNotChecked)
        clock.advance(by: .seconds(1))
        let late = await refusal { try await accounts.confirm(Self.password, of: first, from: Self.home) }
        #expect(late?.code == .passwordNotChecked)
        let second = try await session(of: user, accounts)
        try await accounts.setPassword(
            "another horse",
            current: nil,
            endsTokens: false,
            by: second,
            from: Self.home
        )
        #expect(await refusal(of: accounts, "ada", "another horse", from: Self.elsewhere) == nil)
        // From then on it is needed, in a new session, too.
        let again = await refusal { try await accounts.confirm(nil, of: second, from: Self.home) }
        #expect(again?.code == .invalidCredentials)
    }

    @Test(arguments: [6, 7]) func `a sign-in stores the hash anew where there is the memory`(exponent: Int)
        async throws
    {
        let user = try await ada()
        #expect(await refusal(of: server(exponent), "ada", from: Self.elsewhere) == nil)
        let hash = try await store.account(user).passwordHash
        #expect(hash?.hasPrefix("$scrypt$ln=\(exponent),r=8,p=1$") == true)
    }

    @Test func `a hash of a smaller server and one of another work are both stored anew within the limit`()
        async throws
    {
        let user = try await ada()
        for exponent in [2, 5, 7] {
            let old = try await PasswordHasher(cost: PasswordCost(exponent: exponent)).hash(
                Self.password,
                for: .server
            )
            try await store.setPassword(user, hash: old)
            let cost = PasswordCost(exponent: 5, parallelism: 4)
            let accounts = Accounts(
                store: store,
                passwords: PasswordHasher(cost: cost, memoryLimit: PasswordCost(exponent: 7).memory),
                clock: ExpiryClock(wall: { [clock] in clock.now }),
                log: SignInLog(logger: Logger(label: "test"), uptime: { .now })
            )
            #expect(await refusal(of: accounts, "ada", from: Self.elsewhere) == nil)
            #expect(try await store.account(user).passwordHash?.hasPrefix("$scrypt$ln=5,r=8,p=4$") == true)
        }
    }

    @Test func `the accounts whose passwords aren't checked are counted, over more than one page`()
        async throws
    {
        let accounts = server(4)
        var hashes = [Int: String]()
        for exponent in [4, 5, 6] {
            hashes[exponent] = try await PasswordHasher(cost: PasswordCost(exponent: exponent)).hash(
                Self.password,
                for: .server
            )
        }
        for index in 0..<1_200 {
            let user = User(id: .random(), name: "A")
            let hash = index % 4 == 3 ? nil : hashes[index % 4 + 4]
            let account = Account(user: user, passwordHash: hash, created: clock.now)
            try await store.createAccount(account)
        }
        let unchecked = try await accounts.uncheckedPasswords()
        #expect(unchecked.count == 600)
        #expect(unchecked.memory == PasswordCost(exponent: 6).memory)
        #expect(try await server(17).uncheckedPasswords().count == 0)
    }
}

/// A wall clock that a test turns on.
private final class ManualWall: Sendable {
    private let moment = Mutex(Timestamp(milliseconds: 1_764_000_000_000))

    var now: Timestamp { moment.withLock(\.self) }

    func advance(by duration: Duration) {
        moment.withLock { $0 = $0 + duration }
    }
}
