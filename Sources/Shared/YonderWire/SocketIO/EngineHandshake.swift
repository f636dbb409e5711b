import YonderJSON

/// What a server says when it opens an Engine.IO session: the content of its first packet.
///
/// `EngineConnection` of the server writes one for each new session, from its settings; `EngineConversation` of the client
/// reads it, and takes its times and limits from it. Writing can't fail. A text that isn't a handshake, or lacks a member,
/// gives `nil`, and the client ends that connection and tries again. Names are Engine.IO's and must stay; unknown members are
/// ignored, as servers of other projects add some (`EngineHandshakeTests`, `test_engine_io.py`).
package struct EngineHandshake: Hashable, Sendable {
    /// The session's key, which must stay secret.
    package let session: String

    /// Whether a WebSocket may take the place of polling.
    package let canUpgrade: Bool

    /// The time from one heartbeat to the next; zero of servers that write a part of a second so.
    package let pingInterval: Duration

    /// How late a heartbeat may be.
    package let pingTimeout: Duration

    /// The most bytes that the server accepts at once; `nil` if it doesn't say.
    package let maxPayload: Int?

    package init(
        session: String,
        canUpgrade: Bool,
        pingInterval: Duration,
        pingTimeout: Duration,
        maxPayload: Int?
    ) {
        self.session = session
        self.canUpgrade = canUpgrade
        self.pingInterval = pingInterval
        self.pingTimeout = pingTimeout
        self.maxPayload = maxPayload
    }

    // MARK: Writing

    /// The handshake as JSON.
    package var json: [UInt8] {
        var json = JSONWriter()
        json.raw(#"{"sid":"#)
        json.string(session)
        json.raw(#","upgrades":"#)
        if canUpgrade { json.raw(#"["websocket"]"#) } else { json.raw("[]") }
        json.raw(#","pingInterval":"#)
        json.integer(Self.milliseconds(pingInterval))
        json.raw(#","pingTimeout":"#)
        json.integer(Self.milliseconds(pingTimeout))
        if let maxPayload {
            json.raw(#","maxPayload":"#)
            json.integer(Int64(maxPayload))
        }
        json.raw("}")
        return json.bytes
    }

    private static func milliseconds(_ time: Duration) -> Int64 {
        time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
    }

    // MARK: Reading

    /// The most bytes of a session's key.
    package static let sessionLimit = 128

    /// The longest time of a heartbeat that is accepted: a day.
    private static let longest: Int64 = 86_400_000

    /// Reads a handshake; `nil` if a field is missing or can't be one.
    ///
    /// A session's key consists of the characters that a query takes unescaped (RFC 3986, section 2.3).
    package init?(json: [UInt8]) {
        var fields = Fields()
        let isRead = json.withUnsafeBytes { bytes in
            do throws(JSONFault) {
                var scanner = JSONScanner(bytes)
                try scanner.object { scanner, key throws(JSONFault) in try fields.read(key, &scanner) }
                try scanner.end()
                return true
            } catch {
                return false
            }
        }
        guard isRead, let session = fields.session, let interval = fields.interval,
            let timeout = fields.timeout,
            (0...Self.longest).contains(interval), (1...Self.longest).contains(timeout),
            (1...Int64(Int32.max)).contains(fields.maxPayload ?? 1)
        else { return nil }
        self.init(
            session: session,
            canUpgrade: fields.canUpgrade,
            pingInterval: .milliseconds(interval),
            pingTimeout: .milliseconds(timeout),
            maxPayload: fields.maxPayload.map { Int($0) }
        )
    }

    private struct Fields {
        var session: String?
        var canUpgrade = false
        var interval: Int64?
        var timeout: Int64?
        var maxPayload: Int64?

        mutating func read(_ key: JSONString, _ scanner: inout JSONScanner) throws(JSONFault) {
            let bytes = scanner.bytes
            if key.equals("sid", in: bytes) {
                session = Self.session(try scanner.string().utf8(in: bytes))
            } else if key.equals("upgrades", in: bytes) {
                var canUpgrade = false
                try scanner.array { element throws(JSONFault) in
                    if try element.string().equals("websocket", in: bytes) { canUpgrade = true }
                }
                self.canUpgrade = canUpgrade
            } else if key.equals("pingInterval", in: bytes) {
                interval = try scanner.integer()
            } else if key.equals("pingTimeout", in: bytes) {
                timeout = try scanner.integer()
            } else if key.equals("maxPayload", in: bytes) {
                maxPayload = try scanner.integer()
            } else {
                _ = try scanner.skipValue()
            }
        }

        private static func session(_ bytes: [UInt8]) -> String? {
            let isPlain = bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                    UInt8(ascii: "."), UInt8(ascii: "~"):
                    true
                default: false
                }
            }
            return isPlain ? bytes.name(atMost: EngineHandshake.sessionLimit) : nil
        }
    }
}
