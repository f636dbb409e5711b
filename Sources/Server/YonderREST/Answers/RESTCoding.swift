package import YonderJSON
package import YonderModel

// JSON that several endpoints write. The members of a user are promised in `Documentation/rest.md` and `openapi.yaml`:
// they must stay, another one may come (`test_openapi.py`). Nothing fails; a member that is `nil` is left out.

extension JSONWriter {
    /// Appends a user in REST's form.
    package mutating func user(_ user: User) {
        raw("{\"id\":")
        identifier(user.id)
        raw(",\"name\":")
        string(user.name)
        optional(",\"email\":", user.email)
        optional(",\"avatar\":", user.avatar)
        optional(",\"hue\":", user.hue.map(Int64.init))
        raw("}")
    }

    /// Appends a list.
    package mutating func list<Element>(_ elements: [Element], _ write: (inout JSONWriter, Element) -> Void) {
        raw("[")
        for (index, element) in elements.enumerated() {
            if index > 0 { raw(",") }
            write(&self, element)
        }
        raw("]")
    }

    package mutating func boolean(_ value: Bool) {
        raw(value ? "true" : "false")
    }

    package mutating func optional(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        raw(name)
        string(value)
    }

    package mutating func optional(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        raw(name)
        integer(value)
    }
}
