import YonderModel

/// What a request wants an object's fields to be: its `set-FIELD` and `del-FIELD` parameters.
struct ObjectCommands: Hashable, Sendable {
    /// The new values; `nil` empties a field.
    let fields: [FieldName: FieldValue?]

    /// Reads the commands of a request; `envelope` names the parameters that are none.
    ///
    /// - Throws: `UnknownParameter`, `UnsupportedCommand`, `RepeatedParameter`, `FieldNotFound`, `InvalidField`.
    init(_ parameters: FormParameters, in entity: Entity, envelope: Set<String>) throws(FacadeRefusal) {
        var fields: [FieldName: FieldValue?] = [:]
        for parameter in parameters.list where !envelope.contains(parameter.name) {
            let (name, value) = try Self.command(parameter, in: entity)
            guard fields.updateValue(value, forKey: name) == nil else {
                throw FacadeRefusal(.repeatedParameter, "\(name) is set or emptied twice.")
            }
        }
        self.fields = fields
    }

    private static func command(_ parameter: FormParameters.Parameter, in entity: Entity)
        throws(FacadeRefusal) -> (FieldName, FieldValue?)
    {
        let parts = parameter.name.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, ["set", "del", "incr", "add", "rem"].contains(parts[0]) else {
            throw FacadeRefusal(.unknownParameter, "\(parameter.name) isn't supported here.")
        }
        guard parts[0] == "set" || parts[0] == "del" else {
            throw FacadeRefusal(
                .unsupportedCommand,
                "Fields can be set and emptied; \(parts[0]) can't be done."
            )
        }
        guard let name = FieldName(String(parts[1])), let field = entity.field(name) else {
            throw FacadeRefusal(.fieldNotFound, "\(entity.name) has no field \(parts[1]).")
        }
        guard parts[0] == "set" else { return (name, nil) }
        return (name, try FieldText.value(parameter.value, in: field))
    }
}
