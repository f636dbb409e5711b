import YonderJSON
public import YonderModel
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value that an event or an acknowledgement carries: JSON, read as what the caller expects.
///
/// `SocketIOClient` makes one of each value of an event or an acknowledgement, and encodes with ``json(of:)`` what an app
/// sends. Reading returns `nil` or throws `invalidField`; no bytes of a server trap. That bytes stay as received must stay,
/// for numbers that a `Double` doesn't have; sorted keys let tests compare what is sent (`SocketIOClientTests`,
/// `LiveServerTests`).
public struct SocketIOArgument: Hashable, Sendable {
    /// The value as JSON, byte for byte as received.
    public let json: [UInt8]

    /// Creates a value from its JSON, as in tests of an app; what isn't JSON can't be read.
    public init(json: some Sequence<UInt8>) {
        self.json = Array(json)
    }

    /// The value as text, or `nil` if it is no string.
    public var string: String? {
        json.withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes)
            return try? scanner.string().text(in: bytes)
        }
    }

    /// The value as a number, or `nil` if it is none.
    public var number: Double? {
        json.withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes)
            return try? scanner.double()
        }
    }

    /// Reads the value as a type.
    ///
    /// - Throws: `invalidField` if it isn't one.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws(SharingError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(json))
        } catch {
            throw SharingError(.invalidField, "argument must be a \(type): \(error)")
        }
    }

    /// The JSON of a value.
    ///
    /// - Throws: `invalidField` if it has none.
    static func json(of value: any Encodable) throws(SharingError) -> [UInt8] {
        if let text = value as? String {
            var json = JSONWriter()
            json.string(text)
            return json.bytes
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        do {
            return try Array(encoder.encode(value))
        } catch {
            throw SharingError(.invalidField, "argument must be a value that JSON has: \(error)")
        }
    }
}
