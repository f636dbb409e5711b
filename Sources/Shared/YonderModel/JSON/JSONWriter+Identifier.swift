package import YonderJSON

// All frames and answers write ids with it. The string must stay: JavaScript can't read 63 bits as a number
// (`DocumentedFrameTests`).
extension JSONWriter {
    /// Appends an identifier in its wire form, a decimal string.
    package mutating func identifier<Subject>(_ id: Identifier<Subject>) {
        raw("\"")
        integer(id.rawValue)
        raw("\"")
    }
}
