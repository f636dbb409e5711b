import TestSupport
import Logging
import Synchronization
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@testable import YonderAccounts

/// Strangers' attempts don't count for those whom the server knows.
@Suite struct AcquaintanceTests {
    private let store = MemoryStore()
    private let log = RecordingLog()

    private func accounts() -> Accounts {
        let start = ContinuousClock.now
        return Accounts(
            store: store,
            passwords: PasswordHasher(cost: PasswordCost(exponent: 2)),
            attempts: AttemptMemory(uptime: { start }),
            clock: ExpiryClock(wall: { Timestamp(milliseconds: 1_764_000_000_000) }, uptime: { start }),
            log: SignInLog(logger: log.logger, uptime: { start })
        )
    }

    private func ada(_ accounts: Accounts) async throws -> User {
        let user = try await accounts.create(Profile(name: "Ada"), login: "ada", under: .server)
        try await accounts.overridePassword("correct horse", of: user.id, under: .server)
        return user
    }

    private static func origin(_ address: String, device: Secret? = nil) -> SignInOrigin {
        let parts = address.split(separator: ".")
        return SignInOrigin(
            network: address,
            subnet: parts.count == 4 ? parts.prefix(3).joined(separator: ".") + ".0/24" : address,
            device: device,
            userAgent: "Mozilla/5.0 (iPhone; like Mac OS X) AppleWebKit Version/18 Mobile Safari/604.1"
        )
    }

    /// What becomes of an attempt.
    private static func attempt(
        _ accounts: Accounts,
        _ password: String,
        from origin: SignInOrigin,
        login: String = "ada"
    ) async -> SharingError.Code? {
        do throws(SharingError) {
            _ = try await accounts.signIn(login: login, password: password, from: origin)
            return nil
        } catch {
            return error.code
        }
    }

    /// Strangers use up the account's attempts.
    private static func exhaust(_ accounts: Accounts, from address: String = "203.0.113.9") async {
        while await attempt(accounts, "wrong horse", from: origin(address)) != .tooManyRequests {}
    }

    @Test func `a stranger locks no known browser out, from wherever it comes`() async throws {
        let accounts = accounts()
        _ = try await ada(accounts)
        let device = try await accounts.signIn(
            login: "ada",
            password: "correct horse",
            from: Self.origin("192.0.2.7")
        ).device
        await Self.exhaust(accounts)
        // Even from the stranger's own address.
        for address in ["198.51.100.1", "203.0.113.9"] {
            let known = Self.origin(address, device: device)
            #expect(await Self.attempt(accounts, "correct horse", from: known) == nil)
        }
        #expect(
            await Self.attempt(accounts, "correct horse", from: Self.origin("198.51.1.1")) == .tooManyRequests
        )
    }

    @Test(arguments: [
        ("192.0.2.7", "192.0.2.200", "192.0.3.7"),
        ("2001:db8:1:2::/64", "2001:db8:1:2::/64", "2001:db8:1:3::/64"),
    ])
    func `a stranger locks no network out that signed in before`(
        first: String,
        neighbor: String,
        elsewhere: String
    ) async throws {
        let accounts = accounts()
        _ = try await ada(accounts)
        #expect(await Self.attempt(accounts, "correct horse", from: Self.origin(first)) == nil)
        await Self.exhaust(accounts)
        #expect(await Self.attempt(accounts, "correct horse", from: Self.origin(neighbor)) == nil)
        #expect(
            await Self.attempt(accounts, "correct horse", from: Self.origin(elsewhere)) == .tooManyRequests
        )
    }

    @Test func `a known browser and a known network have limits of their own`() async throws {
        let accounts = accounts()
        _ = try await ada(accounts)
        let device = try await accounts.signIn(
            login: "ada",
            password: "correct horse",
            from: Self.origin("192.0.2.7")
        ).device
        for origin in [Self.origin("192.0.2.7", device: device), Self.origin("192.0.2.7")] {
            for _ in 0..<10 {
                #expect(await Self.attempt(accounts, "wrong horse", from: origin) == .invalidCredentials)
            }
            #expect(await Self.attempt(accounts, "correct horse", from: origin) == .tooManyRequests)
        }
        // And strangers have theirs.
        #expect(await Self.attempt(accounts, "correct horse", from: Self.origin("198.51.100.1")) == nil)
    }

    @Test func `a browser is known for the account that it signed in to, and for no other`() async throws {
        let accounts = accounts()
        _ = try await ada(accounts)
        let eve = try await accounts.create(Profile(name: "Eve"), login: "eve", under: .server)
        try await accounts.overridePassword("eve's password", of: eve.id, under: .server)
        let device = try await accounts.signIn(
            login: "eve",
            password: "eve's password",
            from: Self.origin("198.51.100.1")
        ).device
        await Self.exhaust(accounts)
        let known = Self.origin("198.51.100.1", device: device)
        #expect(await Self.attempt(accounts, "correct horse", from: known) == .tooManyRequests)
    }

    @Test func `a browser stays known after signing out, and not after an operator's new password`()
        async throws
    {
        let accounts = accounts()
        let user = try await ada(accounts)
        let signedIn = try await accounts.signIn(
            login: "ada",
            password: "correct horse",
            from: Self.origin("192.0.2.7")
        )
        try await accounts.end(signedIn.session.hash, of: user.id, under: .server)
        await Self.exhaust(accounts)
        let known = Self.origin("198.51.100.1", device: signedIn.device)
        #expect(await Self.attempt(accounts, "correct horse", from: known) == nil)
        try await accounts.overridePassword("another horse", of: user.id, under: .server)
        let elsewhere = Self.origin("203.0.114.1", device: signedIn.device)
        #expect(await Self.attempt(accounts, "another horse", from: elsewhere) == .tooManyRequests)
    }

    @Test func `a user has at most 20 known browsers, the newest`() async throws {
        let accounts = accounts()
        let user = try await ada(accounts)
        for _ in 0..<25 {
            #expect(await Self.attempt(accounts, "correct horse", from: Self.origin("192.0.2.7")) == nil)
        }
        let kept = try await store.credentials(of: user.id)
        #expect(kept.filter { $0.kind == .device }.count == 20)
        #expect(kept.filter { $0.kind == .session }.count == 25)
    }

    @Test func `sign-ins are written down, good and refused, without a secret`() async throws {
        let accounts = accounts()
        let user = try await ada(accounts)
        let link = try await accounts.makeLink(for: user.id, under: .server).text
        let signedIn = try await accounts.signIn(link: link, from: Self.origin("192.0.2.7"))
        _ = await Self.attempt(accounts, "my secret password", from: Self.origin("192.0.2.7"))
        _ = await Self.attempt(accounts, "x", from: Self.origin("192.0.2.7"), login: "typed-a-password-here")
        let lines = log.lines.withLock(\.self)
        let good = try #require(lines.first { $0.contains("Signed in") })
        #expect(
            good.contains("user=\(user.id)") && good.contains("by=link") && good.contains("network=192.0.2.7")
        )
        #expect(good.contains("browser=Safari on iPhone"))
        let refused = lines.filter { $0.contains("Sign-in refused") }
        #expect(refused.count == 2)
        #expect(refused[0].contains("user=\(user.id)") && refused[0].contains("code=invalidCredentials"))
        #expect(refused[1].contains("user=unknown"))
        let secrets = [
            link, signedIn.session.text, signedIn.device.text, "my secret password", "typed-a-password-here",
        ]
        for secret in secrets { #expect(!lines.contains { $0.contains(secret) }) }
    }

    @Test func `refusals fill no disk`() async throws {
        let accounts = accounts()
        _ = try await ada(accounts)
        for _ in 0..<200 { _ = await Self.attempt(accounts, "wrong horse", from: Self.origin("203.0.113.9")) }
        #expect(log.lines.withLock(\.self).filter { $0.contains("refused") }.count == 60)
    }

    @Test(arguments: [
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
            "Edge on Windows"
        ),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
        (
            "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36",
            "Chrome on Android"
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Version/18 Safari/605",
            "Safari on macOS"
        ),
        ("curl/8.1", "curl"), ("", ""), (String(repeating: "x", count: 10_000), ""),
    ])
    func `a browser is named in words`(userAgent: String, name: String) {
        #expect(BrowserName.text(userAgent) == name)
    }
}

/// Keeps what is logged.
final class RecordingLog: Sendable {
    let lines = Mutex<[String]>([])

    var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(recorder: self) }
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let recorder: RecordingLog
        var metadata = Logger.Metadata()
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let fields = (event.metadata ?? [:]).map { "\($0)=\($1)" }.sorted().joined(separator: " ")
            recorder.lines.withLock { $0.append("\(event.message) \(fields)") }
        }
    }
}
