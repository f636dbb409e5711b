/// The indexes that a list of statements makes, by their names: what a database that has run the steps must have.
///
/// A plain value, read from ``SchemaSteps`` at each use, so that no second list can differ from them. It understands the
/// forms that steps have: `CREATE [UNIQUE] INDEX name ON table`, keys within `CREATE TABLE`, `DROP INDEX` and `DROP TABLE`.
struct ExpectedIndexes {
    /// An index.
    struct Index: Hashable, Sendable {
        /// Its name.
        let name: String

        /// The table.
        let table: String

        /// The statement that makes it; `nil` for the key of a table, which is made with the table.
        let creation: String?
    }

    private var byName: [String: Index] = [:]

    /// Reads statements in the order in which they run.
    init(of statements: [String]) {
        for statement in statements { read(statement) }
    }

    /// All of them, by name.
    var all: [Index] { byName.values.sorted { $0.name < $1.name } }

    /// The indexes of a table that have a statement of their own.
    func creations(for table: String) -> [Index] { all.filter { $0.table == table && $0.creation != nil } }

    private mutating func read(_ statement: String) {
        var words = Self.words(statement).filter { !["UNIQUE", "IF", "NOT", "EXISTS"].contains($0) }[...]
        let start = (words.popFirst(), words.popFirst())
        guard let name = words.first else { return }
        switch start {
        case ("CREATE", "INDEX"):
            add(Index(name: name, table: words.dropFirst(2).first ?? "", creation: statement))
        case ("CREATE", "TABLE"): addKeys(of: name, Self.parts(statement))
        case ("DROP", "INDEX"): byName[name] = nil
        case ("DROP", "TABLE"): byName = byName.filter { $0.value.table != name }
        default: break
        }
    }

    private mutating func add(_ index: Index) { byName[index.name] = index }

    /// Adds the indexes of a table's keys, under the names that PostgreSQL gives them.
    private mutating func addKeys(of table: String, _ parts: [[String]]) {
        for part in parts {
            if part.contains("PRIMARY") { add(Index(name: "\(table)_pkey", table: table, creation: nil)) }
            guard let place = part.firstIndex(of: "UNIQUE") else { continue }
            let columns = place == 0 ? part.dropFirst() : part.prefix(1)
            let name = ([table] + columns + ["key"]).joined(separator: "_")
            add(Index(name: name, table: table, creation: nil))
        }
    }

    /// The columns and keys of a `CREATE TABLE`, each as words.
    private static func parts(_ statement: String) -> [[String]] {
        guard let start = statement.firstIndex(of: "("), let end = statement.lastIndex(of: ")") else {
            return []
        }
        var (parts, depth) = ([""], 0)
        for character in statement[statement.index(after: start)..<end] {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if character == ",", depth == 0 {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts.map(words)
    }

    private static func words(_ text: String) -> [String] {
        text.split { $0.isWhitespace || $0 == "(" || $0 == ")" || $0 == "," }.map(String.init)
    }
}
