package import YonderJSON

extension JSONWriter {
    /// Appends an identifier in its wire form, a decimal string.
    package mutating func identifier<Subject>(_ id: Identifier<Subject>) {
        raw("\"")
        integer(id.rawValue)
        raw("\"")
    }
}
