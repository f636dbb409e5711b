import Logging
import Synchronization
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@testable import YonderAccounts

/// Sign-ins whose account changes while the password is checked.
@Suite struct OvertakenSignInTests {
    private let store = MemoryStore()
    private let during = Once()

    private func accounts() -> Accounts {
        let start = ContinuousClock.now
        return Accounts(
            store: store,
            passwords: PasswordHasher(cost: PasswordCost(exponent: 2)) { [during] password, salt, cost in
                during.take()?()
                return PasswordHash.key(password, salt: salt, cost: cost)
            },
            attempts: AttemptMemory(uptime: { start }),
            clock: ExpiryClock(wall: { Timestamp(milliseconds: 1_764_000_000_000) }, uptime: { start }),
            log: SignInLog(logger: Logger(label: "test"), uptime: { start })
        )
    }

    private func ada(_ accounts: Accounts) async throws -> UserID {
        let user = try await accounts.create(Profile(name: "Ada"), login: "ada", under: .server)
        try await accounts.overridePassword("correct horse", of: user.id, under: .server)
        return user.id
    }

    private func signIn(_ accounts: Accounts) async throws {
        let origin = SignInOrigin(network: "192.0.2.1", subnet: "192.0.2.0")
        _ = try await accounts.signIn(login: "ada", password: "correct horse", from: origin)
    }

    @Test func `a new password refuses a sign-in by the old one that was being checked`() async throws {
        let accounts = accounts()
        let ada = try await ada(accounts)
        let other = try await PasswordHasher(cost: PasswordCost(exponent: 2)).hash(
            "another horse",
            for: .server
        )
        during.set { [store] in try? store.set(password: other, of: ada) }
        await #expect { try await signIn(accounts) } throws: {
            ($0 as? SharingError)?.code == .invalidCredentials
        }
        #expect(try await store.credentials(of: ada).isEmpty)
    }

    @Test func `an account that is disabled or removed while its password is checked gets no session`()
        async throws
    {
        for ending in [EndedRight.disabled, .removed] {
            let accounts = accounts()
            _ = try await accounts.create(Profile(name: "Owner"), isOperator: true, under: .server)
            let ada = try await ada(accounts)
            during.set { [store] in try? store.end(ending, of: ada) }
            await #expect(throws: SharingError.self) { try await signIn(accounts) }
            #expect(try await store.credentials(of: ada).isEmpty)
            try? await store.remove(ada)
        }
    }

    @Test func `a sign-in beside the end of another one is checked once more, and is one`() async throws {
        let accounts = accounts()
        let ada = try await ada(accounts)
        _ = try await accounts.makeToken("", for: ada, under: .server)
        during.set { [store] in try? store.end(.credential, of: ada) }
        try await signIn(accounts)
        #expect(try await store.credentials(of: ada).count { $0.kind == .session } == 1)
    }

    @Test func `a hash of another cost is replaced behind the session that it began`() async throws {
        let accounts = accounts()
        let ada = try await ada(accounts)
        let old = try await PasswordHasher(cost: PasswordCost(exponent: 1)).hash(
            "correct horse",
            for: .server
        )
        try store.set(password: old, of: ada)
        try await signIn(accounts)
        #expect(try await store.credentials(of: ada).count { $0.kind == .session } == 1)
        #expect(try await store.account(ada).passwordHash != old)
    }
}

/// What is done once, by whoever takes it.
private final class Once: Sendable {
    private let body = Mutex<(@Sendable () -> Void)?>(nil)

    func set(_ body: @escaping @Sendable () -> Void) { self.body.withLock { $0 = body } }

    func take() -> (@Sendable () -> Void)? {
        body.withLock { body in
            defer { body = nil }
            return body
        }
    }
}
