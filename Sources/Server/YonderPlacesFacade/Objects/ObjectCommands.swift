import YonderModel

/// The changes that a request makes to an object: its `set-FIELD`, `del-FIELD` and `incr-FIELD` parameters.
///
/// `FacadeEndpoints` reads them for a request that makes or changes an object, and asks for the new values over the
/// object as it is. A refusal changes nothing. Names and meaning of the commands are the original API's and must stay
/// (`Documentation/places-facade.md`, `test_places_facade.py`); another of its commands is refused as
/// `UnsupportedCommand`.
struct ObjectCommands: Hashable, Sendable {
    /// The new values; `nil` empties a field.
    let fields: [FieldName: FieldValue?]

    /// The numbers to add, by field.
    let increments: [FieldName: Double]

    private enum Command {
        case set(FieldValue?)
        case increment(Double)
    }

    /// Reads the commands of a request; `envelope` lists the parameters that aren't commands.
    ///
    /// - Throws: `UnknownParameter`, `UnsupportedCommand`, `RepeatedParameter`, `FieldNotFound`,
    ///   `InvalidField`.
    init(_ parameters: FormParameters, in entity: Entity, envelope: Set<String>) throws(FacadeRefusal) {
        var fields: [FieldName: FieldValue?] = [:]
        var increments: [FieldName: Double] = [:]
        for parameter in parameters.list where !envelope.contains(parameter.name) {
            let (name, command) = try Self.command(parameter, in: entity)
            guard fields[name] == nil, increments[name] == nil else {
                throw FacadeRefusal(
                    .repeatedParameter,
                    "\(name) must be set, emptied or increased once; it has two commands."
                )
            }
            switch command {
            case .set(let value): fields.updateValue(value, forKey: name)
            case .increment(let number): increments[name] = number
            }
        }
        (self.fields, self.increments) = (fields, increments)
    }

    /// Returns the new values of an object with the current values; an empty number field counts as 0.
    ///
    /// - Throws: `InvalidField` if a sum isn't finite.
    func values(over current: [FieldName: FieldValue]) throws(FacadeRefusal) -> [FieldName: FieldValue?] {
        var values = fields
        for (name, increment) in increments {
            var sum = increment
            if case .number(let number)? = current[name] { sum += number }
            guard sum.isFinite else {
                throw FacadeRefusal(
                    .invalidField,
                    "\(name) must stay a finite number; send a smaller increment."
                )
            }
            values.updateValue(.number(sum), forKey: name)
        }
        return values
    }

    private static func command(_ parameter: FormParameters.Parameter, in entity: Entity)
        throws(FacadeRefusal) -> (FieldName, Command)
    {
        let parts = parameter.name.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, ["set", "del", "incr", "add", "rem"].contains(parts[0]) else {
            throw FacadeRefusal(
                .unknownParameter,
                "\(parameter.name) isn't a parameter of this request; use set-, del- or incr- and a field."
            )
        }
        guard parts[0] != "add", parts[0] != "rem" else {
            throw FacadeRefusal(
                .unsupportedCommand,
                "\(parameter.name) isn't supported; use set-, del- or incr- and the field."
            )
        }
        guard let name = FieldName(String(parts[1])), let field = entity.field(name) else {
            throw FacadeRefusal(.fieldNotFound, "\(entity.name) has no field \(parts[1]).")
        }
        switch parts[0] {
        case "set": return (name, .set(try FieldText.value(parameter.value, in: field)))
        case "incr": return (name, .increment(try increment(parameter.value, of: field)))
        default: return (name, .set(nil))
        }
    }

    private static func increment(_ text: String, of field: Field) throws(FacadeRefusal) -> Double {
        guard field.type == .number, let number = NumberText.value(text) else {
            throw FacadeRefusal(
                .invalidField,
                "incr-\(field.name) must be a number, for a field of the type number."
            )
        }
        return number
    }
}
