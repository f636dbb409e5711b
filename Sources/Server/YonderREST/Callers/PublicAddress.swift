import NIOCore
import YonderJSON
package import YonderAccounts
package import YonderModel
import YonderTransport
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The address for links to this server.
///
/// A link carries a secret, so a client must not choose the host to which it leads: the host is that of a
/// configured origin, or one that is certainly this machine.
///
/// `ServerAssembly` makes one of `--origin`; endpoints ask through `RESTCall` when they make a sign-in link or an
/// invitation, and the control socket asks for one too. `unknownHost` tells the operator to name an origin. That a
/// `Host` of a stranger is never trusted must stay: it would lead a secret to a foreign server (`PublicAddressTests`,
/// which lists what is accepted).
package struct PublicAddress: Sendable {
    /// The names and addresses of this machine, as far as it knows them.
    package struct Machine: Sendable {
        /// Its host name, in upper or lower case, with or without a domain.
        package var name: String

        /// The addresses of its network interfaces.
        package var addresses: Set<String>

        package init(name: String, addresses: Set<String>) {
            self.name = name
            self.addresses = addresses
        }

        /// The present names and addresses of this machine.
        package static var current: Machine {
            let devices = (try? System.enumerateDevices()) ?? []
            let addresses = devices.compactMap { $0.address?.ipAddress }
            return Machine(name: hostName, addresses: Set(addresses))
        }

        /// The host name from the kernel; Foundation might query a name server.
        private static var hostName: String {
            var name = [CChar](repeating: 0, count: 256)
            guard gethostname(&name, name.count - 1) == 0 else { return "" }
            return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }

        /// Whether a host, without a port, is this machine.
        func isCalled(_ host: Substring) -> Bool {
            let host = host.lowercased()
            if let address = IPAddress(host) {
                return address.isLoopback || addresses.contains { IPAddress($0) == address }
            }
            let full = name.lowercased()
            let short = full.prefix { $0 != "." }
            return host == "localhost"
                || (!short.isEmpty && [full, String(short), "\(short).local"].contains(host))
        }
    }

    private let origins: Origins
    private let machine: @Sendable () -> Machine

    /// Creates an address; links use one of `origins` if there is any.
    package init(origins: Origins, machine: @escaping @Sendable () -> Machine = { .current }) {
        self.origins = origins
        self.machine = machine
    }

    /// The address of the page, up to and including the slash after the host.
    ///
    /// `authority` is the request's `Host`. `isSecure` states that the client uses TLS, `isForwarded` that a
    /// trusted proxy forwarded the request and vouches for the host.
    ///
    /// - Throws: `unknownHost` if the host can't be confirmed as this server.
    package func page(
        authority: String?,
        isSecure: Bool,
        isForwarded: Bool
    ) throws(SharingError) -> String {
        let scheme = isSecure ? "https" : "http"
        let asked = authority.map { "\(scheme)://\($0)" }
        if let preferred = origins.preferred { return (asked.flatMap(origins.listed) ?? preferred) + "/" }
        guard let authority, let asked, let host = Self.host(authority),
            isForwarded || machine().isCalled(host)
        else {
            throw SharingError(
                .unknownHost,
                "A link can't be made for this Host: set --origin to the address that people use."
            )
        }
        return asked + "/"
    }

    /// The host of an authority, or `nil` if the authority isn't just a host and an optional port.
    private static func host(_ authority: String) -> Substring? {
        guard let judged = authority.utf8.name(atMost: 260) else { return nil }
        var host = judged[...]
        if host.first == "[" {
            guard let end = host.firstIndex(of: "]") else { return nil }
            return isPort(host[host.index(after: end)...])
                ? host[host.index(after: host.startIndex)..<end] : nil
        }
        if let colon = host.firstIndex(of: ":") {
            guard isPort(host[colon...]) else { return nil }
            host = host[..<colon]
        }
        let isName = host.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D
                || byte == 0x2E
                || byte == 0x5F
        }
        return isName && !host.isEmpty ? host : nil
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || (text.first == ":" && UInt16(text.dropFirst()) != nil)
    }
}
