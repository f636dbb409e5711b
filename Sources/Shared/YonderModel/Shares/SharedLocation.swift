package import YonderGeodesy
import YonderJSON

/// The share and the time in the `data` of a `Location`.
///
/// The server's `ShareRules` and `ChatRules` find a position's share with it, `ShareRoll` its time, and the client's `Stops`
/// which positions a stop holds back. So both ends must read the same of the same bytes; only `share` and `timestamp` count.
/// A `share` that is no id is `invalidField`, and the message is refused; a missing or a wrong time counts as the arrival's
/// (`StopsTests`, `StoreRule+Shares`).
package struct SharedLocation: Hashable, Sendable {
    /// The share that it names, or `nil`.
    package let share: ShareID?

    /// The position's own time: that of its arrival if it has none, or one too far ahead.
    package let time: Timestamp

    /// Reads an object.
    ///
    /// - Parameters:
    ///   - data: The message's `data`.
    ///   - arrival: When the server took it.
    /// - Throws: `invalidField` if `share` is no id.
    package init(_ data: MessageData?, arrival: Timestamp) throws(SharingError) {
        guard let data else {
            (share, time) = (nil, arrival)
            return
        }
        let fields = data.bytes.withUnsafeBytes { SharedFields($0) }
        guard fields.isShareValid else {
            throw SharingError(.invalidField, "data.share must be the id of a share, a decimal string.")
        }
        share = fields.share
        let own = fields.time ?? arrival
        time = own > arrival + Message.clockTolerance ? arrival : own
    }
}

/// The two members that count.
private struct SharedFields {
    var share: ShareID?
    var isShareValid = true
    var time: Timestamp?

    init(_ bytes: UnsafeRawBufferPointer) {
        var scanner = JSONScanner(bytes)
        // Not caught: the object was checked when it came.
        try? scanner.object { scanner, key throws(JSONFault) in
            if key.equals("share", in: bytes) {
                try takeShare(&scanner)
            } else if key.equals("timestamp", in: bytes) {
                let range = try scanner.skipValue()
                time = Self.time(UnsafeRawBufferPointer(rebasing: bytes[range]))
            } else {
                _ = try scanner.skipValue()
            }
        }
    }

    private mutating func takeShare(_ scanner: inout JSONScanner) throws(JSONFault) {
        guard scanner.next == UInt8(ascii: "\"") else {
            _ = try scanner.skipValue()
            isShareValid = false
            return
        }
        let text = try scanner.string()
        share = ShareID(text.text(in: scanner.bytes))
        isShareValid = share != nil
    }

    private static func time(_ text: UnsafeRawBufferPointer) -> Timestamp? {
        if let whole = JSONNumber.integer(text, 0..<text.count) { return Timestamp(milliseconds: whole) }
        guard let value = Double(String(decoding: text, as: UTF8.self)) else { return nil }
        return Int64(exactly: value.rounded()).map(Timestamp.init(milliseconds:))
    }
}
