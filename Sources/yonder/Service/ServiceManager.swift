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

/// The program that started this server as a service: systemd, or none.
///
/// Its variables `NOTIFY_SOCKET` and `RUNTIME_DIRECTORY` say what it wants to know. Without them nothing is done, and what
/// can't be written is left out: the server runs all the same.
struct ServiceManager: Sendable {
    private let socket: String?
    private let runtime: String?

    init(environment: [String: String]) {
        socket = environment["NOTIFY_SOCKET"]
        runtime = environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first.map(String.init)
    }

    /// Says that the server listens, by the protocol of `sd_notify(3)`: a start or a restart of the unit ends with it.
    ///
    /// - Parameter folder: The data folder, which is recorded for commands that name none; `nil` for a database.
    func listening(folder: String?) {
        if let runtime, let folder {
            let path = URL(fileURLWithPath: folder).standardizedFileURL.path
            let file = URL(fileURLWithPath: runtime).appendingPathComponent(InstalledService.record)
            try? Data(path.utf8).write(to: file)
        }
        send("READY=1")
    }

    /// Sends a datagram to the manager's socket, whose name begins with `@` where it is no file.
    private func send(_ text: String) {
        guard let socket, var address = Self.address(socket),
            let path = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)
        else { return }
        #if canImport(Darwin)
        let descriptor = Darwin.socket(AF_UNIX, SOCK_DGRAM, 0)
        #elseif canImport(Musl)
        let descriptor = Musl.socket(AF_UNIX, SOCK_DGRAM, 0)
        #else
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        #endif
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let length = path + socket.utf8.count
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(descriptor, text, text.utf8.count, 0, address, socklen_t(length))
            }
        }
    }

    private static func address(_ name: String) -> sockaddr_un? {
        var address = sockaddr_un()
        guard name.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            path.copyBytes(from: name.utf8)
            if name.hasPrefix("@") { path[0] = 0 }
        }
        return address
    }
}
