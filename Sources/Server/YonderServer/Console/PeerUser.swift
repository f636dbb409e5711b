import NIOCore
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The user of the process at the other end of a Unix domain socket, as the kernel reports it.
///
/// `ConsoleService` asks for each connection before anything is read from it; a peer whose user can't be found out isn't
/// trusted. That only the server's own user and root pass must stay: there is no other check on the control socket
/// (`ConsoleTests`).
enum PeerUser {
    #if canImport(Darwin)
    // Has the layout of the system's `xucred`, whose second word is the user.
    private static let (level, option) = (SOL_LOCAL, LOCAL_PEERCRED)
    private typealias Credentials = DarwinCredentials
    #else
    // Has the layout of the system's `ucred`.
    private static let (level, option) = (SOL_SOCKET, SO_PEERCRED)
    private typealias Credentials = LinuxCredentials
    #endif

    /// Whether the peer may administer this server: the user that runs it, or root.
    static func isTrusted(_ channel: any Channel) -> EventLoopFuture<Bool> {
        guard let provider = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeSucceededFuture(false)
        }
        let found: EventLoopFuture<Credentials> = provider.unsafeGetSocketOption(
            level: NIOBSDSocket.OptionLevel(rawValue: level),
            name: NIOBSDSocket.Option(rawValue: option)
        )
        return found.map { $0.user == geteuid() || $0.user == 0 }
    }
}

private struct LinuxCredentials: Sendable {
    let process: Int32
    let user: UInt32
    let group: UInt32
}

private struct DarwinCredentials: Sendable {
    let version: UInt32
    let user: UInt32
    let groupCount: Int16
    // Room for sixteen groups.
    let groups: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
}
