import Logging
import NIOCore
import YonderAccounts
import YonderModel
import YonderRules
import YonderServer
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The lines printed once the server listens: its address, and at a first start a link for its owner.
///
/// `ServerProcess` makes one, and the application calls ``listening(_:)`` once it listens. Nothing here ends the server: a
/// link that can't be made is logged, and a file that can't be written is left out.
///
/// The words may be changed, but for the first line, which `test_package.py` reads. The file must stay, as must its form:
/// ``addressFile`` has nothing but the address, and `ConsoleOptions` reads it, also where an earlier version wrote it.
struct Greeting: Sendable {
    /// The file in the data folder that has the server's address, with a slash at its end, for the other commands.
    static let addressFile = "address"

    private let base: @Sendable (Int) -> String
    private let data: String?
    private let isJournal: Bool
    private let isDemo: Bool
    private let manager: ServiceManager
    private let accounts: Accounts
    private let logger: Logger

    /// Prints for a server with these settings.
    ///
    /// In the journal of systemd, which other users may read, a command that makes a link is printed in place of the link.
    init(settings: ServeSettings, accounts: Accounts, logger: Logger) {
        let server = settings.server
        let origin = settings.origins.first
        base = { port in
            if let origin { return origin + "/" }
            return "\(server.certificate == nil ? "http" : "https")://\(Self.host(server.address)):\(port)/"
        }
        data = settings.place.folder
        isJournal =
            ProcessInfo.processInfo.environment["JOURNAL_STREAM"] != nil && isatty(STDOUT_FILENO) == 0
        isDemo = settings.isDemo
        manager = ServiceManager(environment: ProcessInfo.processInfo.environment)
        self.accounts = accounts
        self.logger = logger
    }

    /// Prints, writes the address into the data folder for `yonder user link`, and tells the service manager.
    ///
    /// - Parameter address: Where the server listens; its port is the one that the system chose for port 0.
    func listening(_ address: SocketAddress?) async {
        let base = base(address?.port ?? 0)
        print("Yonder is at \(base)")
        if let data {
            let file = URL(fileURLWithPath: data).appendingPathComponent(Self.addressFile)
            try? Data(base.utf8).write(to: file)
        }
        do throws(SharingError) {
            if let link = try await link() {
                print(
                    isJournal
                        ? way : "Sign in as its owner, once and within 15 minutes: \(base)#link=\(link.text)"
                )
            }
        } catch {
            logger.error("No sign-in link could be made", metadata: ["reason": "\(error.message)"])
        }
        fflush(nil)
        manager.listening(folder: data)
    }

    /// The command that makes a link.
    private var way: String {
        let command = data.map { "yonder user link --data \($0)" } ?? "YONDER_STORE=… yonder user link"
        return "Sign in as its owner by the link that this command prints: sudo \(command)"
    }

    /// A sign-in link for the owner.
    ///
    /// - Returns: A link if the owner has never signed in, and at every start of the demo; else `nil`.
    private func link() async throws(SharingError) -> Secret? {
        if let link = try await accounts.linkForNewOwner() { return link }
        guard isDemo, let owner = try await accounts.everyone().first(where: \.isOperator) else { return nil }
        return try await accounts.makeLink(for: owner.user.id, under: .server)
    }

    /// A name that a browser on this machine can use.
    private static func host(_ address: String) -> String {
        switch address {
        case "0.0.0.0", "::", "127.0.0.1": address == "127.0.0.1" ? address : "localhost"
        default: address.contains(":") ? "[\(address)]" : address
        }
    }
}
