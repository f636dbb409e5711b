import YonderJSON
import YonderLink
import YonderModel
import YonderWire

/// The settings of a Socket.IO client.
///
/// An app sets them before it creates a `SocketIOClient`; later changes have no effect. The client's initializer checks them,
/// and throws `invalidField` with the setting's name. Names are public (`make check-api`); defaults may change with
/// `Documentation/socket-io.md`, except the path and the generation, which are those of most servers.
public struct SocketIOSettings: Hashable, Sendable {
    /// The generations of the protocol.
    public enum Generation: Hashable, Sendable {
        /// Servers of Socket.IO 1 and 2.
        case engineIO3
        /// Servers of Socket.IO 3 and later.
        case engineIO4
    }

    /// The ways of a connection.
    public enum Transports: Hashable, Sendable {
        /// Polling at first, and a WebSocket as soon as the server has accepted one.
        case pollingThenWebSocket
        case webSocket
        case polling
    }

    /// The generation of the server; a server refuses a client of the other one, unless it accepts both, as Yonder does.
    public var generation = Generation.engineIO4

    /// The ways of a connection.
    public var transports = Transports.pollingThenWebSocket

    /// The path of Socket.IO on the server, which begins and ends with a slash.
    public var path = "/socket.io/"

    /// The namespace to enter: a slash and at most 63 bytes of visible ASCII.
    public var namespace = "/"

    /// What the client enters the namespace with, such as a token; a server of ``Generation/engineIO3`` isn't sent it.
    public var auth: [String: String] = [:]

    /// Further headers of each request, such as `Authorization`.
    public var headers: [String: String] = [:]

    /// The most events queued for a reader; of more, or of more than 8 MiB, the newest are kept: see ``SocketIOEvent/missed``.
    public var readerCapacity = 1_024

    /// The bound of the random wait after a first failure; it doubles with each further one.
    public var minimumWait: Duration = .milliseconds(500)

    /// The greatest bound of the random wait.
    public var maximumWait: Duration = .seconds(60)

    /// A PEM file with the certificate of the authority that signed the server's certificate.
    ///
    /// `nil` to trust the system's authorities. On Apple's systems it must be `nil`, and the authority is trusted in the device's
    /// settings.
    public var certificateAuthority: String?

    /// Creates the default settings.
    public init() {}
}

extension SocketIOSettings {
    /// The wait before each attempt to connect again.
    var wait: JitteredWait { JitteredWait(minimum: minimumWait, maximum: maximumWait) }

    /// What the conversations are about.
    ///
    /// - Throws: `invalidField`.
    func conversation() throws(SharingError) -> ConversationSettings {
        try Self.check(
            path.hasPrefix("/") && path.hasSuffix("/") && Self.isPlain(path),
            "path must begin and end with a slash, and be visible ASCII without ? and #; it is \(path.prefix(200))."
        )
        try Self.check(
            namespace.hasPrefix("/") && namespace.utf8.count <= 64 && Self.isPlain(namespace)
                && !namespace.utf8.contains(UInt8(ascii: ",")),
            "namespace must be a slash and at most 63 bytes of visible ASCII without a comma; it is \(namespace.prefix(200))."
        )
        try Self.check(readerCapacity > 0, "readerCapacity must be at least 1; it is \(readerCapacity).")
        for (name, value) in headers {
            try Self.check(
                !name.isEmpty && name.utf8.allSatisfy(Self.isVisible)
                    && !name.utf8.contains(UInt8(ascii: ":"))
                    && value.utf8.allSatisfy { Self.isVisible($0) || $0 == UInt8(ascii: " ") },
                "headers must be visible ASCII; \(name.prefix(64)) isn't."
            )
        }
        return ConversationSettings(
            version: generation == .engineIO3 ? .three : .four,
            transports: transports,
            path: path,
            namespace: namespace,
            auth: try entry(),
            headers: headers.sorted { $0.key < $1.key }.map { LinkHeader($0.key, $0.value) }
        )
    }

    private func entry() throws(SharingError) -> [UInt8] {
        auth.isEmpty ? [] : try SocketIOArgument.json(of: auth)
    }

    private static func check(_ isValid: Bool, _ message: String) throws(SharingError) {
        guard isValid else { throw SharingError(.invalidField, message) }
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { isVisible($0) && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    }

    private static func isVisible(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }
}
