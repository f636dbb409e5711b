import YonderModel
import YonderJSON

// Reads Socket.IO's packets, on both sides: `SocketIOSession` of the server and `SocketConversation` of the client read each
// text that Engine.IO delivers, and then its attachments. Any bytes may come: a text that is no packet throws a ``Fault``,
// after which the connection is closed; nothing traps, and the limits bound the work. The form is that of Socket.IO's
// protocol, revisions 4 and 5 (`SocketPacketTests`). ``attachmentLimit`` and ``namespaceLimit`` may change; the names that
// are reserved must stay, as every client's library reserves them.
extension SocketPacket {
    /// The reason why a text isn't a packet.
    package struct Fault: Error, Hashable, Sendable {
        package let reason: String
    }

    /// A packet without its attachments, and their number.
    package struct Head: Hashable, Sendable {
        package var packet: SocketPacket
        package let attachmentCount: Int
    }

    /// The most attachments of a packet.
    package static let attachmentLimit = 64

    /// The most bytes of a namespace's name and query.
    package static let namespaceLimit = 256

    /// Reads a packet's text, which must be UTF-8.
    package static func read(_ text: UnsafeRawBufferPointer) throws(Fault) -> Head {
        var reader = SocketPacketReader(bytes: text)
        return try reader.read()
    }

    /// Reads a packet's text, which must be UTF-8.
    package static func read(_ text: [UInt8]) throws(Fault) -> Head {
        let result: Result<Head, Fault> = text.withUnsafeBytes { bytes in
            do throws(Fault) { return .success(try read(bytes)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Decodes the event in the packet's JSON.
    package func event() throws(Fault) -> SocketEvent {
        var name: [UInt8]?
        var ranges: [Range<Int>] = []
        do throws(JSONFault) {
            try json.scan { scanner throws(JSONFault) in
                try scanner.array { element throws(JSONFault) in
                    guard name == nil else { return ranges.append(try element.skipValue()) }
                    name = try element.string().utf8(in: element.bytes)
                }
            }
        } catch {
            throw Fault(reason: "An event must be an array that begins with the event's name.")
        }
        guard let name, !Self.isReserved(name) else {
            throw Fault(reason: "An event must have a name that isn't reserved.")
        }
        var joined = json[0..<0]
        if let first = ranges.first, let last = ranges.last {
            joined = json[first.lowerBound..<last.upperBound]
        }
        return SocketEvent(name: name, arguments: ranges.map { json[$0] }, joinedArguments: joined)
    }

    /// Whether no event may have this name, as Socket.IO uses it itself.
    package static func isReserved(_ name: some Collection<UInt8>) -> Bool {
        reservedNames.contains { name.is($0) }
    }

    private static let reservedNames: [StaticString] = [
        "connect", "connect_error", "disconnect", "disconnecting", "newListener", "removeListener",
    ]
}

extension [UInt8] {
    /// Scans JSON to its end.
    func scan(_ body: (inout JSONScanner) throws(JSONFault) -> Void) throws(JSONFault) {
        let result: Result<Void, JSONFault> = withUnsafeBytes { bytes in
            do throws(JSONFault) {
                var scanner = JSONScanner(bytes)
                try body(&scanner)
                try scanner.end()
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }
}

/// Parses a packet's text from its beginning.
private struct SocketPacketReader {
    let bytes: UnsafeRawBufferPointer
    var offset = 0

    mutating func read() throws(SocketPacket.Fault) -> SocketPacket.Head {
        guard let kind = next.flatMap(SocketPacket.Kind.init(digit:))
        else { throw SocketPacket.Fault(reason: "Unknown kind of packet.") }
        offset += 1

        let attachments = kind.hasAttachments ? try attachmentCount() : 0
        var packet = SocketPacket(kind)
        try readNamespace(into: &packet)
        packet.id = try number()
        packet.json = Array(bytes[offset...])
        try check(packet)
        return SocketPacket.Head(packet: packet, attachmentCount: attachments)
    }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func attachmentCount() throws(SocketPacket.Fault) -> Int {
        guard let count = try number(), count <= SocketPacket.attachmentLimit, next == UInt8(ascii: "-")
        else {
            throw SocketPacket.Fault(reason: "The number of attachments is missing or too big.")
        }
        offset += 1
        return Int(count)
    }

    private mutating func readNamespace(into packet: inout SocketPacket) throws(SocketPacket.Fault) {
        guard next == UInt8(ascii: "/") else { return }
        let end = bytes[offset...].firstIndex(of: UInt8(ascii: ",")) ?? bytes.count
        guard end - offset <= SocketPacket.namespaceLimit else {
            throw SocketPacket.Fault(reason: "The namespace's name is too long.")
        }
        let mark = bytes[offset..<end].firstIndex(of: UInt8(ascii: "?")) ?? end
        guard let name = bytes[offset..<mark].name() else {
            throw SocketPacket.Fault(reason: "The namespace's name must be at most 64 bytes of ASCII.")
        }
        packet.namespace = name
        packet.query = mark < end ? String(decoding: bytes[mark + 1..<end], as: UTF8.self) : nil
        offset = min(end + 1, bytes.count)
    }

    /// Reads digits, at most 18; `nil` if there are none.
    private mutating func number() throws(SocketPacket.Fault) -> UInt64? {
        let start = offset
        var value: UInt64 = 0
        while let digit = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
            guard offset - start < 18 else { throw SocketPacket.Fault(reason: "The number is too long.") }
            value = value * 10 + UInt64(digit - UInt8(ascii: "0"))
            offset += 1
        }
        return offset == start ? nil : value
    }

    /// Checks that the JSON has the form that the kind of packet requires.
    private func check(_ packet: SocketPacket) throws(SocketPacket.Fault) {
        let isValid =
            switch packet.kind {
            case .connect: packet.json.isEmpty || isJSON(beginningWith: "{")
            case .disconnect: packet.json.isEmpty
            case .event, .binaryEvent, .acknowledgement, .binaryAcknowledgement: isJSON(beginningWith: "[")
            case .connectError: isJSON(beginningWith: "{") || isJSON(beginningWith: "\"")
            }
        guard isValid else { throw SocketPacket.Fault(reason: "The packet's JSON is malformed.") }
    }

    private func isJSON(beginningWith character: Unicode.Scalar) -> Bool {
        var scanner = JSONScanner(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
        guard scanner.next == UInt8(ascii: character) else { return false }
        do throws(JSONFault) {
            _ = try scanner.skipValue()
            try scanner.end()
            return true
        } catch {
            return false
        }
    }
}

extension SocketPacket.Kind {
    /// Reads the digit that begins a packet.
    package init?(digit: UInt8) {
        guard digit >= UInt8(ascii: "0") else { return nil }
        self.init(rawValue: digit - UInt8(ascii: "0"))
    }
}
