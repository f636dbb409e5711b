#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value of a JSON document of another's, whose members aren't all known.
///
/// `TileDocument` and `MapStyleReader` read operators' and strangers' documents into it. Nothing traps: a text that is
/// no JSON, or is nested too deep for the decoder, gives `nil`. Members keep no order. Numbers keep their value, as a
/// style is written again.
///
/// `MapLoaderTests` reads documents with members of any type; a value that isn't one of these cases can't be in JSON.
enum JSONValue: Hashable, Sendable, Codable {
    case null
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// Reads a JSON text.
    ///
    /// - Returns: `nil` if it isn't one.
    init?(_ bytes: [UInt8]) {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)) else { return nil }
        self = value
    }

    /// The text of the value, with the members of objects in order.
    ///
    /// - Returns: `nil` for a number that JSON doesn't have, such as infinity.
    var json: [UInt8]? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { Array($0) }
    }

    /// The members, if it is an object.
    var members: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The items, if it is a list.
    var items: [JSONValue]? {
        if case .list(let items) = self { items } else { nil }
    }

    /// The text, if it is one.
    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The number, if it is one.
    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let items = try? value.decode([JSONValue].self) {
            self = .list(items)
        } else if let members = try? value.decode([String: JSONValue].self) {
            self = .object(members)
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if value.decodeNil() {
            self = .null
        } else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "It is no value of JSON.")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .flag(let flag): try value.encode(flag)
        case .integer(let integer): try value.encode(integer)
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .list(let items): try value.encode(items)
        case .object(let members): try value.encode(members)
        }
    }
}
