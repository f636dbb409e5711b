import YonderJSON

/// A JSON object that goes with a message, kept and passed on byte for byte.
///
/// Readers of frames and requests, and apps, make one for a `MessageDraft`; stores and hub pass the bytes on, which must stay
/// as they came (`MessageTests`).
public struct MessageData: Hashable, Sendable {
    /// The object's text in UTF-8, as it was sent.
    public let bytes: [UInt8]

    /// Checks the text of a JSON object.
    ///
    /// - Throws: ``SharingError`` with code `invalidJSON` unless it is one JSON object, without a key twice in
    ///   one object, without half a surrogate pair, and nested at most 32 deep.
    public init(_ bytes: [UInt8]) throws(SharingError) {
        do throws(JSONFault) {
            try bytes.withUnsafeBufferPointer { text throws(JSONFault) in
                var scanner = JSONScanner(UnsafeRawBufferPointer(text), refusesHalfPairs: true)
                guard scanner.next == UInt8(ascii: "{") else { throw scanner.fault(.unexpected) }
                _ = try scanner.skipValue()
                try scanner.end()
            }
        } catch {
            throw SharingError(
                .invalidJSON,
                "data must be a JSON object: \(error.reason.rawValue) at byte \(error.offset)."
            )
        }
        self.bytes = bytes
    }

    /// Creates data from a JSON object's text that was checked before.
    package init(checked bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The object's text.
    public var json: String { String(decoding: bytes, as: UTF8.self) }
}
