import YonderJSON

/// The names of the fields or query parameters that an endpoint takes, which are ASCII.
///
/// What a peer sends is looked up here by its bytes; behind it a field is known by its place in the list alone.
///
/// Endpoints write theirs as a literal; `JSONBody` and `RESTQuery` look up what was sent. A name that isn't in the list
/// gives `nil`, which the caller refuses; asking for one that the endpoint didn't list is a mistake of the program. A
/// name must be ASCII.
package struct FieldNames: ExpressibleByArrayLiteral, Sendable {
    private let names: [StaticString]

    package init(arrayLiteral names: StaticString...) {
        self.names = names
    }

    package init(_ names: [StaticString]) {
        self.names = names
    }

    var isEmpty: Bool { names.isEmpty }

    var count: Int { names.count }

    /// The place of the name that a peer sent, or `nil` for another.
    func place(ofSent name: some Collection<UInt8>) -> Int? {
        names.firstIndex { name.is($0) }
    }

    /// The place of a name, which must be in the list.
    func place(of name: StaticString) -> Int? {
        names.firstIndex { UnsafeBufferPointer(start: $0.utf8Start, count: $0.utf8CodeUnitCount).is(name) }
    }

    /// Whether a name that a peer sent is one of these, whatever case its letters have.
    func contains(sent name: some Collection<UInt8>) -> Bool {
        names.contains { name.isIgnoringCase($0) }
    }

    /// All of them in alphabetical order with *or* between, for a refusal.
    var choices: String { names.map(\.description).sorted().joined(separator: " or ") }

    /// All of them in alphabetical order, for a refusal.
    var listed: String {
        names.isEmpty ? "none" : names.map(\.description).sorted().joined(separator: ", ")
    }

    /// These names, and one more.
    package func and(_ name: StaticString) -> FieldNames { FieldNames(names + [name]) }
}
