import YonderJSON
import YonderREST

/// The parameters of a request in `application/x-www-form-urlencoded` form, in their original order.
///
/// `FacadeRequest` reads the query or the body of each request into one, from a stranger: nothing traps, and a refusal
/// is a `FacadeRefusal` that names the parameter. `Signatures` signs and checks over the names and values in their
/// original order, so the order must stay, and so must what is accepted: signatures of old apps depend on both
/// (`FormParametersTests`, `RequestSignatureTests`). The most parameters may be raised.
struct FormParameters: Hashable, Sendable {
    struct Parameter: Hashable, Sendable {
        /// The parameter's name, without the brackets that some libraries append to the name of a list.
        let name: String
        let value: String
    }

    let list: [Parameter]

    /// The most parameters: one for each field that an entity can have, and some for other purposes.
    static let limit = 256

    /// The most bytes of a name.
    static let nameLimit = 128

    init(_ list: [Parameter] = []) {
        self.list = list
    }

    /// Reads a form.
    ///
    /// - Throws: `InvalidRequest` unless the bytes are a form in UTF-8; `TooMany`.
    init(_ form: some Collection<UInt8>) throws(FacadeRefusal) {
        var list: [Parameter] = []
        for part in form.split(separator: UInt8(ascii: "&")) {
            guard list.count < Self.limit else {
                throw FacadeRefusal(.tooMany, "A request has at most \(Self.limit) parameters.")
            }
            list.append(try Self.parameter(part))
        }
        self.list = list
    }

    private static func parameter<Part: Collection<UInt8>>(_ part: Part) throws(FacadeRefusal) -> Parameter {
        let end = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
        guard let sent = PercentEncoding.decoded(part[..<end], plusIsSpace: true),
            let value = PercentEncoding.decoded(part[end...].dropFirst(), plusIsSpace: true)
        else {
            let shown = part[..<end].excerpt
            throw FacadeRefusal(
                .invalidRequest,
                "\(shown) must be UTF-8, with two hexadecimal digits after each %."
            )
        }
        // The brackets of a list may hold a number.
        guard let name = sent.utf8.name(atMost: nameLimit + 8), case let plain = withoutBrackets(name),
            (1...nameLimit).contains(plain.utf8.count), plain.utf8.allSatisfy(isAllowed)
        else {
            throw FacadeRefusal(
                .invalidRequest,
                "\(part[..<end].excerpt): a parameter's name must be 1 to \(nameLimit) visible ASCII characters without =, &, [ and ]."
            )
        }
        return Parameter(name: plain, value: value)
    }

    /// Removes the brackets of a list: `params[]` and `params[3]` become `params`.
    private static func withoutBrackets(_ name: String) -> String {
        guard name.hasSuffix("]"), let start = name.firstIndex(of: "["),
            name[start...].dropFirst().dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return name }
        return String(name[..<start])
    }

    /// Whether a byte may occur in a name: visible ASCII, except the characters that separate parameters in a
    /// signature.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=") && byte != UInt8(ascii: "&")
            && byte != UInt8(ascii: "[") && byte != UInt8(ascii: "]")
    }

    // MARK: Access by name

    /// All values of a parameter, in their original order.
    func strings(_ name: String) -> [String] {
        list.filter { $0.name == name }.map(\.value)
    }

    /// The value of a parameter, or `nil`.
    ///
    /// - Throws: `RepeatedParameter`.
    func string(_ name: String) throws(FacadeRefusal) -> String? {
        let values = strings(name)
        guard values.count <= 1 else {
            throw FacadeRefusal(
                .repeatedParameter,
                "\(name) must be sent once; it was sent \(values.count) times."
            )
        }
        return values.first
    }

    /// Throws for a parameter with any other name, or a repeated one other than `params`.
    ///
    /// - Throws: `UnknownParameter`, `RepeatedParameter`.
    func allow(_ names: Set<String>) throws(FacadeRefusal) {
        var seen: Set<String> = []
        for name in list.map(\.name) {
            guard names.contains(name) else {
                throw FacadeRefusal(
                    .unknownParameter,
                    "\(name) isn't a parameter of this request; leave it out."
                )
            }
            guard seen.insert(name).inserted || name == "params" else {
                throw FacadeRefusal(.repeatedParameter, "\(name) must be sent once; it was sent twice.")
            }
        }
    }

    /// The value of an integer parameter, or `missing` if there is none.
    ///
    /// - Throws: `InvalidParameter`.
    func integer(_ name: String, in range: ClosedRange<Int>, else missing: Int) throws(FacadeRefusal) -> Int {
        guard let text = try string(name) else { return missing }
        guard let value = Int(text), text.first != "+", range.contains(value) else {
            throw FacadeRefusal(
                .invalidParameter,
                "\(name) must be a whole number in \(range.lowerBound)…\(range.upperBound)."
            )
        }
        return value
    }

    /// The value of a parameter in degrees.
    ///
    /// - Throws: `MissingParameter`, `InvalidParameter`.
    func degrees(_ name: String, in range: ClosedRange<Double>) throws(FacadeRefusal) -> Double {
        guard let text = try string(name) else {
            throw FacadeRefusal(.missingParameter, "\(name) is missing.")
        }
        guard let value = NumberText.value(text), range.contains(value) else {
            throw FacadeRefusal(
                .invalidParameter,
                "\(name) must be a number of degrees in \(range.lowerBound)…\(range.upperBound)."
            )
        }
        return value
    }
}
