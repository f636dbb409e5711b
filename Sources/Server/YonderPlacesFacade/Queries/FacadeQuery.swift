import YonderModel
import YonderRules

/// The query in a request's `q` and `params`: `where FIELD OPERATOR ? and … sort by FIELD desc`.
///
/// `FacadeEndpoints` reads one for each list, for the entity as it is then. A text that isn't a query, or asks for what this
/// server doesn't do, is a `FacadeRefusal` of the older API; no text traps, nor takes more than the limits below. The
/// language is the older API's, with its precedence and its names, and must stay (decision 11, `FacadeQueryTests`); the
/// criteria that come out are those of the newer API.
struct FacadeQuery: Hashable, Sendable {
    /// The criteria that an object must match.
    let criteria: ObjectCriteria

    /// The order of the list, or `nil` if the query has none.
    let order: ObjectOrder?

    /// The most constraints of a query.
    static let constraintLimit = 32

    /// How many values and words all `in` and `like` conditions of a query may have together: each is compared
    /// with every object.
    static let valueLimit = 100

    /// Reads a query for an entity's objects.
    ///
    /// - Throws: `InvalidQuery`, `UnsupportedQuery`, `TooLarge`, `TooMany`, `FieldNotFound`, `InvalidField`.
    init(_ text: String, _ params: [String], in entity: Entity) throws(FacadeRefusal) {
        var parser = QueryParser(tokens: try QueryTokens(text), params: params[...], entity: entity)
        criteria = try parser.criteria()
        order = try parser.order()
        try parser.end()
        try translated { [criteria, order] () throws(SharingError) in
            try criteria.check(in: entity)
            try order?.check(in: entity)
        }
    }
}

/// Reads a query from left to right.
private struct QueryParser {
    var tokens: QueryTokens
    var params: ArraySlice<String>
    let entity: Entity
    private var constraints = 0
    private var values = 0

    init(tokens: QueryTokens, params: ArraySlice<String>, entity: Entity) {
        self.tokens = tokens
        self.params = params
        self.entity = entity
    }

    mutating func criteria() throws(FacadeRefusal) -> ObjectCriteria {
        tokens.take(word: "where") ? try part(depth: 0) : .all
    }

    /// Parses *and* and *or*, which have equal precedence and associate to the right.
    private mutating func part(depth: Int) throws(FacadeRefusal) -> ObjectCriteria {
        guard depth <= FacadeQuery.constraintLimit else {
            throw FacadeRefusal(.tooMany, "q must be nested at most \(FacadeQuery.constraintLimit) deep.")
        }
        let left = try operand(depth: depth)
        if tokens.take(word: "and") { return left && (try part(depth: depth + 1)) }
        if tokens.take(word: "or") { return left || (try part(depth: depth + 1)) }
        return left
    }

    private mutating func operand(depth: Int) throws(FacadeRefusal) -> ObjectCriteria {
        guard tokens.take(sign: "(") else { return try constraint() }
        let inner = try part(depth: depth + 1)
        guard tokens.take(sign: ")") else {
            throw FacadeRefusal(.invalidQuery, "q must have a ) for each (.")
        }
        return inner
    }

    private mutating func constraint() throws(FacadeRefusal) -> ObjectCriteria {
        constraints += 1
        guard constraints <= FacadeQuery.constraintLimit else {
            throw FacadeRefusal(
                .tooMany,
                "q must have at most \(FacadeQuery.constraintLimit) constraints."
            )
        }
        let name = try tokens.word("a field")
        if tokens.take(sign: ".") { throw Self.unsupported("another object's field") }
        let key = try key(name)
        let relation = try relation()
        guard tokens.take(sign: "?") else {
            throw FacadeRefusal(.invalidQuery, "q must have a ? after each operator.")
        }
        if tokens.take(sign: ".") { throw Self.unsupported("another object's collections") }
        guard let value = params.popFirst() else {
            throw FacadeRefusal(.invalidQuery, "params must have a value for each ? of q; it has fewer.")
        }
        return try criteria(key, named: name, relation, value)
    }

    private func key(_ name: String) throws(FacadeRefusal) -> ObjectKey {
        switch name {
        case "this": return .id
        case "created_at": return .created
        case "updated_at": return .updated
        default:
            guard let field = FieldName(name), entity.field(field) != nil else {
                throw FacadeRefusal(.fieldNotFound, "\(entity.name) has no field \(name).")
            }
            return .field(field)
        }
    }

    private mutating func relation() throws(FacadeRefusal) -> String {
        switch tokens.next() {
        case .sign(let sign)? where ["=", "<", "<=", ">", ">="].contains(sign): return sign
        case .word(let word)?:
            switch word.lowercased() {
            case "like": return "like"
            case "in": return "in"
            case "is": return tokens.take(word: "not") ? "is not" : "is"
            case "not" where tokens.take(word: "in"): return "not in"
            case "has": throw Self.unsupported("has")
            default: break
            }
        default: break
        }
        throw FacadeRefusal(
            .invalidQuery,
            "q must have an operator after each field: = < <= > >= like, in, not in, is or is not."
        )
    }

    private mutating func criteria(_ key: ObjectKey, named name: String, _ relation: String, _ text: String)
        throws(FacadeRefusal) -> ObjectCriteria
    {
        let type = try translated { [entity] () throws(SharingError) in try key.type(in: entity) }
        switch relation {
        case "like": return try like(key, text)
        case "in": return try isIn(key, named: name, type, text)
        case "not in": return !(try isIn(key, named: name, type, text))
        default: break
        }
        let value = try Self.value(text, type, name)
        switch relation {
        case "=", "is": return .where(key, .equals(value))
        case "is not": return !.where(key, .equals(value))
        case "<": return .where(key, .less(value))
        case "<=": return .where(key, .atMost(value))
        case ">": return .where(key, .greater(value))
        default: return .where(key, .atLeast(value))
        }
    }

    private static func value(_ text: String, _ type: FieldType, _ name: String) throws(FacadeRefusal)
        -> FieldValue
    {
        guard type.isOrdered else {
            throw FacadeRefusal(
                .invalidField,
                "\(name) is a \(type.name), which can't be compared; use another field."
            )
        }
        return try FieldText.value(text, of: type, named: name)
    }

    private mutating func note(values count: Int) throws(FacadeRefusal) {
        values += count
        guard values <= FacadeQuery.valueLimit else {
            throw FacadeRefusal(
                .tooMany,
                "q must have at most \(FacadeQuery.valueLimit) values of in and words of like."
            )
        }
    }

    /// Matches text that contains at least one of the words.
    private mutating func like(_ key: ObjectKey, _ text: String) throws(FacadeRefusal) -> ObjectCriteria {
        let words = text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
        guard let first = words.first else {
            throw FacadeRefusal(.invalidQuery, "params must have a word for each like.")
        }
        try note(values: words.count)
        return words.dropFirst().reduce(.where(key, .contains(String(first)))) { criteria, word in
            criteria || .where(key, .contains(String(word)))
        }
    }

    /// Matches a value that equals one of the lines.
    private mutating func isIn(_ key: ObjectKey, named name: String, _ type: FieldType, _ text: String)
        throws(FacadeRefusal) -> ObjectCriteria
    {
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        try note(values: lines.count)
        var values: [FieldValue] = []
        for line in lines { values.append(try Self.value(String(line), type, name)) }
        return values.dropFirst().reduce(.where(key, .equals(values[0]))) { $0 || .where(key, .equals($1)) }
    }

    mutating func order() throws(FacadeRefusal) -> ObjectOrder? {
        if tokens.take(word: "join") { throw Self.unsupported("join") }
        guard tokens.take(word: "sort") else { return nil }
        guard tokens.take(word: "by") else {
            throw FacadeRefusal(.invalidQuery, "q must have by after sort.")
        }
        let key = try key(try tokens.word("a field"))
        let isDescending = tokens.take(word: "desc")
        if !isDescending { _ = tokens.take(word: "asc") }
        return ObjectOrder([ObjectOrder.Key(key, isDescending: isDescending)])
    }

    func end() throws(FacadeRefusal) {
        guard tokens.isAtEnd else {
            throw FacadeRefusal(.invalidQuery, "q must end after its conditions and its order; it goes on.")
        }
        guard params.isEmpty else {
            throw FacadeRefusal(.invalidQuery, "params must have a value for each ? of q; it has more.")
        }
    }

    private static func unsupported(_ what: String) -> FacadeRefusal {
        FacadeRefusal(.unsupportedQuery, "q can't use \(what); leave it out.")
    }
}
