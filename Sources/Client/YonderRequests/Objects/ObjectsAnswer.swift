import YonderJSON
import YonderModel

/// The members of an answer about objects, each still encoded.
///
/// Entities and objects have fields of their owners' making, so they are read by the model's own parsers and not by
/// `Codable`.
///
/// `RESTClient+Objects.swift` and `RESTClient+Entities.swift` make one of each answer and read its members. Whatever can't be
/// read becomes `internalError` with the reason, because the server is at fault and not the caller. Unknown members are
/// ignored, so that a newer server may add some (`RESTClientTests`). The forms are those of `Object+JSON.swift`.
///
/// A further member is one more call of ``one(_:_:)`` or ``optional(_:_:)``; the words of the reason may change.
struct ObjectsAnswer {
    private let members: [String: [UInt8]]

    /// Reads an object of JSON, whose members may be any.
    ///
    /// - Throws: `internalError`.
    init(_ bytes: [UInt8]) throws(SharingError) {
        var members: [String: [UInt8]] = [:]
        try Self.scan(bytes) { scanner throws(JSONFault) in
            try scanner.object { scanner, key throws(JSONFault) in
                let range = try scanner.skipValue()
                members[key.text(in: scanner.bytes)] = Array(scanner.bytes[range])
            }
        }
        self.members = members
    }

    /// Reads one member.
    ///
    /// - Throws: `internalError` if it is missing or can't be read.
    func one<Value>(
        _ name: String,
        _ read: ([UInt8]) throws(SharingError) -> Value
    ) throws(SharingError) -> Value {
        guard let bytes = members[name] else { throw Self.unreadable("\(name) is missing.") }
        return try read(bytes)
    }

    /// Reads the elements of a member that is an array.
    ///
    /// - Throws: `internalError` if it is missing or can't be read.
    func all<Value>(
        _ name: String,
        _ read: ([UInt8]) throws(SharingError) -> Value
    ) throws(SharingError) -> [Value] {
        try one(name) { bytes throws(SharingError) in
            var elements: [[UInt8]] = []
            try Self.scan(bytes) { scanner throws(JSONFault) in
                try scanner.array { scanner throws(JSONFault) in
                    let range = try scanner.skipValue()
                    elements.append(Array(scanner.bytes[range]))
                }
            }
            return try elements.map(read)
        }
    }

    /// Reads a member that may be missing.
    ///
    /// - Throws: `internalError` if it can't be read.
    func optional<Value>(
        _ name: String,
        _ read: ([UInt8]) throws(SharingError) -> Value
    ) throws(SharingError) -> Value? {
        try members[name].map(read)
    }

    /// An entity.
    static func entity(_ bytes: [UInt8]) throws(SharingError) -> Entity {
        do throws(SharingError) { return try Entity(json: bytes) } catch { throw unreadable(error.message) }
    }

    /// An object.
    static func record(_ bytes: [UInt8]) throws(SharingError) -> ObjectRecord {
        do throws(SharingError) {
            return try bytes.withUnsafeBufferPointer { bytes throws(SharingError) in
                try ObjectRecord(json: UnsafeRawBufferPointer(bytes))
            }
        } catch {
            throw unreadable(error.message)
        }
    }

    /// A whole number.
    static func integer(_ bytes: [UInt8]) throws(SharingError) -> Int {
        var number: Int64 = 0
        try scan(bytes) { scanner throws(JSONFault) in number = try scanner.integer() }
        return Int(number)
    }

    /// A number.
    static func number(_ bytes: [UInt8]) throws(SharingError) -> Double {
        var number = 0.0
        try scan(bytes) { scanner throws(JSONFault) in number = try scanner.double() }
        return number
    }

    /// An object's id.
    static func id(_ bytes: [UInt8]) throws(SharingError) -> ObjectID {
        var text = ""
        try scan(bytes) { scanner throws(JSONFault) in
            text = try scanner.string().text(in: scanner.bytes)
        }
        return try ObjectID(answered: text)
    }

    private static func scan(
        _ bytes: [UInt8],
        _ read: (inout JSONScanner) throws(JSONFault) -> Void
    ) throws(SharingError) {
        do throws(JSONFault) {
            try bytes.withUnsafeBufferPointer { bytes throws(JSONFault) in
                var scanner = JSONScanner(UnsafeRawBufferPointer(bytes))
                try read(&scanner)
                try scanner.end()
            }
        } catch {
            throw unreadable("\(error.reason.rawValue) at byte \(error.offset)")
        }
    }

    private static func unreadable(_ reason: String) -> SharingError {
        SharingError(.internalError, "The server's answer can't be read: \(reason)")
    }
}
