/// Finds the path of the value at which a JSON text is invalid, so that an error message can name the field
/// to correct.
///
/// `JSONFault.sentence(in:)` calls it for the refusal of a text that isn't JSON, of frames, requests and objects; so it runs
/// once for each refusal, and reads a text of a stranger. It never traps, and gives `nil` rather than a wrong path. The form
/// of a path may change, as people alone read it (`JSONScannerTests`).
package enum JSONPath {
    /// The most characters of a path; a longer one is cut at its end.
    package static let lengthLimit = 64

    /// The path of the member that holds the byte at `offset`, as in `fields.name` or `data.path[2].t`.
    ///
    /// - Complexity: Reads every byte before `offset`, so use it for error messages only.
    ///
    /// - Parameters:
    ///   - offset: The offset of a fault that a scanner found; the text before it is JSON.
    ///   - bytes: The text.
    /// - Returns: `nil` if the byte isn't inside a member of an object.
    package static func member(at offset: Int, in bytes: UnsafeRawBufferPointer) -> String? {
        var steps: [Step] = []
        var position = 0
        while position < min(offset, bytes.count) {
            switch bytes[position] {
            case UInt8(ascii: "{"): steps.append(.key(nil))
            case UInt8(ascii: "["): steps.append(.index(0))
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = steps.popLast()
            case UInt8(ascii: ","): if let last = steps.popLast() { steps.append(last.next) }
            case UInt8(ascii: "\""):
                guard let string = string(bytes, position), string.range.upperBound < offset else {
                    return text(steps)
                }
                if case .key(nil)? = steps.last {
                    steps[steps.count - 1] = .key(string.utf8(in: bytes).excerpt)
                }
                position = string.range.upperBound
            default: break
            }
            position += 1
        }
        return text(steps)
    }

    private enum Step {
        /// In an object, after a key or before the first.
        case key(String?)
        /// In an array.
        case index(Int)

        /// The step after a comma.
        var next: Step {
            switch self {
            case .key: .key(nil)
            case .index(let index): .index(index + 1)
            }
        }
    }

    private static func string(_ bytes: UnsafeRawBufferPointer, _ quote: Int) -> JSONString? {
        try? JSONString.scan(bytes, openingQuote: quote, refusesHalfPairs: false)
    }

    private static func text(_ steps: [Step]) -> String? {
        var text = ""
        for step in steps {
            switch step {
            case .key(nil): break
            case .key(let key?): text += (text.isEmpty ? "" : ".") + key
            case .index(let index): text += "[\(index)]"
            }
        }
        return text.isEmpty ? nil : String(text.prefix(lengthLimit))
    }
}

extension JSONFault {
    /// The fault with its position, as in `half a surrogate pair at byte 9, in subject`.
    package func sentence(in bytes: UnsafeRawBufferPointer) -> String {
        let place = JSONPath.member(at: offset, in: bytes).map { ", in \($0)" } ?? ""
        return "\(reason.rawValue) at byte \(offset)\(place)"
    }
}
