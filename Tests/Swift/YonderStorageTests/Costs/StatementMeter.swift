import YonderSQLite
import CSQLite
import Synchronization

/// Counts what each SQL text does on the connections of a store: how often it runs, and how many steps its longest run takes.
///
/// A step is an instruction of SQLite's virtual machine, so a row that a statement visits takes several, whatever the machine.
/// The meter must outlive the connections.
final class StatementMeter: Sendable {
    /// What a text did.
    struct Cost: Hashable {
        var runs = 0
        var steps = 0

        mutating func add(_ other: Cost) {
            runs += other.runs
            steps = max(steps, other.steps)
        }
    }

    private let costs = Mutex<[String: Cost]>([:])

    /// Counts the statements of a connection from now on.
    func follow(_ database: Database) {
        sqlite3_trace_v2(
            database.handle,
            CUnsignedInt(SQLITE_TRACE_PROFILE),
            { _, meter, statement, _ in
                guard let meter, let statement else { return 0 }
                Unmanaged<StatementMeter>.fromOpaque(meter).takeUnretainedValue()
                    .note(OpaquePointer(statement))
                return 0
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    private func note(_ statement: OpaquePointer) {
        let steps = Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1))
        guard let text = sqlite3_sql(statement).map({ String(cString: $0) }) else { return }
        costs.withLock { $0[text, default: Cost()].add(Cost(runs: 1, steps: steps)) }
    }

    /// What was counted since the last call.
    func take() -> [String: Cost] {
        let taken = costs.withLock { costs in
            defer { costs = [:] }
            return costs
        }
        let plain = taken.map { (Self.plain($0.key), $0.value) }.filter { text, _ in
            ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].contains(where: text.hasPrefix)
        }
        return plain.reduce(into: [:]) { $0[$1.0, default: Cost()].add($1.1) }
    }

    /// One text for statements that differ in the number of their parameters or of their tags, or in where their lines end.
    private static func plain(_ sql: String) -> String {
        let text = sql.replacing(/\s+/, with: " ").replacing(/\?(, ?\?)+/, with: "?, …")
            .replacing(/tag = \?1[1-9]|tag = \?[2-9][0-9]/, with: "tag = ?11")
            .trimmingPrefix(while: \.isWhitespace)
        var branches: [Substring] = []
        for branch in text.split(separator: " UNION ALL ") where branches.last != branch {
            branches.append(branch)
        }
        return branches.joined(separator: " UNION ALL ")
    }
}
