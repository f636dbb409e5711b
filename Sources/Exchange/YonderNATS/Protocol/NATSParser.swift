/// Reads what a NATS server sends, however it is cut into pieces.
///
/// A value without a buffer of its own: the caller keeps the unread bytes, passes them from the first unread one, and
/// removes what an ``Item`` says it used. Between calls the parser remembers how far it has searched for a line's end,
/// so a line that comes byte by byte is read once.
///
/// The protocol: *Client protocol*, docs.nats.io. Operations are case insensitive, their fields are parted by spaces
/// or tabs, and a control line ends in CR LF.
///
/// `NATSHandler` has one for each connection, which ends at the first ``NATSFault``. A server's bytes may be anything:
/// nothing traps, and a line or a payload above its limit is a fault. Limits may be changed; the forms are NATS's and
/// must stay (`NATSParserTests`, with the bytes of a real server, cut anyhow, and random ones).
package struct NATSParser: Sendable {
    /// The most bytes that a server may make this client keep.
    package struct Limits: Hashable, Sendable {
        /// The longest control line, its CR LF included.
        package var line = 4_096

        /// The longest `INFO`, which lists the addresses of all servers of a cluster.
        package var info = 65_536

        /// The longest payload.
        package var payload = NATSServerInfo.usualPayload

        package init() {}
    }

    /// An operation, and the bytes that it used.
    package struct Item: Hashable, Sendable {
        package let operation: NATSOperation

        /// The payload of a message, counted from the first unread byte.
        package let payload: Range<Int>?

        /// The number of bytes to remove.
        package let used: Int
    }

    package var limits: Limits

    /// The bytes of an unended line that were searched for its end.
    private var searched = 0

    /// A message whose payload hasn't come as a whole, and the bytes of its control line.
    private var awaited: (head: NATSMessageHead, line: Int)?

    package init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Reads the next operation.
    ///
    /// - Returns: `nil` if more bytes are needed; then call it with the same bytes and more behind them.
    package mutating func next(_ bytes: Span<UInt8>) throws(NATSFault) -> Item? {
        if awaited != nil { return try payload(bytes) }
        guard let end = try lineEnd(bytes) else { return nil }
        let line = bytes.extracting(0..<end)
        let operation = try Self.operation(line)
        if case .message(let head) = operation {
            guard head.length <= limits.payload else {
                throw .overlongPayload(head.length, limit: limits.payload)
            }
            awaited = (head, end + 2)
            return try payload(bytes)
        }
        return Item(operation: operation, payload: nil, used: end + 2)
    }

    /// The offset of the CR LF that ends the line, or `nil` if it hasn't come.
    private mutating func lineEnd(_ bytes: Span<UInt8>) throws(NATSFault) -> Int? {
        // Only an INFO may be long: its first letter is that of no other operation.
        let isInfo = bytes.count > 0 && bytes[0] | 0x20 == UInt8(ascii: "i")
        let limit = isInfo ? limits.info : limits.line
        let last = min(bytes.count, limit) - 1
        var index = searched
        while index < last {
            if bytes[index] == 0x0D, bytes[index + 1] == 0x0A {
                searched = 0
                return index
            }
            index += 1
        }
        guard bytes.count < limit else { throw .overlongLine(limit: limit) }
        searched = index
        return nil
    }

    private mutating func payload(_ bytes: Span<UInt8>) throws(NATSFault) -> Item? {
        guard let (head, line) = awaited, bytes.count >= line + head.length + 2 else { return nil }
        let end = line + head.length
        guard bytes[end] == 0x0D, bytes[end + 1] == 0x0A else { throw .unendedPayload }
        awaited = nil
        return Item(operation: .message(head), payload: line..<end, used: end + 2)
    }
}

// One control line.
extension NATSParser {
    private static func operation(_ line: Span<UInt8>) throws(NATSFault) -> NATSOperation {
        var fields = NATSFields(line)
        switch fields.next()?.operation {
        case "MSG": return .message(try message(&fields))
        case "PING": return .ping
        case "PONG": return .pong
        case "+OK": return .ok
        case "-ERR": return .error(unquoted(fields.rest()))
        case "INFO": return .info(try NATSServerInfo(fields.rest()))
        default: throw .unknownOperation(fields.excerpt)
        }
    }

    private static func message(_ fields: inout NATSFields) throws(NATSFault) -> NATSMessageHead {
        var parts: [ArraySlice<UInt8>] = []
        while parts.count <= 4, let field = fields.next() { parts.append(field) }
        guard (3...4).contains(parts.count), let subscription = parts[1].number,
            let length = parts[parts.count - 1].number, length <= UInt64(Int32.max)
        else { throw .invalidMessage(fields.excerpt) }
        return NATSMessageHead(
            subject: parts[0].text,
            subscription: subscription,
            reply: parts.count == 4 ? parts[2].text : nil,
            length: Int(length)
        )
    }

    private static func unquoted(_ bytes: [UInt8]) -> String {
        let isQuoted = bytes.count >= 2 && bytes.first == 0x27 && bytes.last == 0x27
        return String(decoding: isQuoted ? bytes[1..<(bytes.count - 1)] : bytes[...], as: UTF8.self)
    }
}
