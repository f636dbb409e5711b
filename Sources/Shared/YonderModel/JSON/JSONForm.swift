import YonderGeodesy

/// A value whose form in JSON an error message names.
///
/// `ObjectMembers.required` and its kin put the form into the refusal of a member that has another: *name must be a string*.
/// The texts may change, as people alone read them; clients decide by the code. A type that an object's member is read into
/// needs one.
protocol JSONForm {
    /// The form, with its article.
    static var jsonForm: String { get }
}

extension String: JSONForm {
    static var jsonForm: String { "a string" }
}

extension Double: JSONForm {
    static var jsonForm: String { "a number" }
}

extension Int: JSONForm {
    static var jsonForm: String { "a whole number" }
}

extension Bool: JSONForm {
    static var jsonForm: String { "true or false" }
}

extension Timestamp: JSONForm {
    static var jsonForm: String { "a time, in whole milliseconds since 1970" }
}

extension Distance: JSONForm {
    static var jsonForm: String { "a number of meters" }
}

extension Identifier: JSONForm {
    static var jsonForm: String { "an id, a decimal string" }
}

extension SchemaName: JSONForm {
    static var jsonForm: String {
        "a name: a letter, then up to 63 letters, digits, hyphens or underscores"
    }
}

extension EntityReaders: JSONForm {
    static var jsonForm: String { "anyone, members or owners" }
}

extension Array: JSONForm where Element == UnsafeRawBufferPointer {
    static var jsonForm: String { "a list" }
}
