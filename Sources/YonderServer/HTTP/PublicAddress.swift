import Foundation
import NIOCore
package import YonderModel

/// The address that links to this server are made with.
///
/// A link carries a secret, so a client must not choose the host that the link leads to: the configured origin does, or
/// a host that is this machine by itself.
package struct PublicAddress: Sendable {
    /// How this machine is called, as far as it knows.
    package struct Machine: Sendable {
        /// Its host name, in any case, with or without a domain.
        package var name: String

        /// Its network interfaces' addresses.
        package var addresses: Set<String>

        package init(name: String, addresses: Set<String>) {
            self.name = name
            self.addresses = addresses
        }

        /// The machine that this runs on, as it is at the moment.
        package static var current: Machine {
            let devices = (try? System.enumerateDevices()) ?? []
            let addresses = devices.compactMap { $0.address?.ipAddress }
            return Machine(name: hostName, addresses: Set(addresses))
        }

        /// Asked of the kernel, where Foundation might ask a name server.
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

    /// Links are made with one of `origins` if there is any.
    package init(origins: Origins, machine: @escaping @Sendable () -> Machine = { .current }) {
        self.origins = origins
        self.machine = machine
    }

    /// The address of the page, up to and including the slash behind the host.
    ///
    /// `authority` is the request's `Host`. With `isSecure` the client speaks TLS; with `isForwarded` a listed proxy
    /// vouches for the host.
    ///
    /// - Throws: `unknownHost` if nothing says that the host is this server.
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

    /// The host of an authority, or `nil` if that has more than a host and a port.
    private static func host(_ authority: String) -> Substring? {
        var host = Substring(authority)
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
