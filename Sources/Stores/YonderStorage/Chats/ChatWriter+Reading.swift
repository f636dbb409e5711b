import YonderModel
import YonderRules
import YonderSQLite

// Read positions.
// `SQLiteStore` calls it for each mark of a commit. A refusal is the mark's result. A position never goes back
// (`ReadingRow`, decision 20).
extension ChatWriter {
    /// Moves a reader's read position forward.
    func read(_ mark: ReadMark, in database: Database) throws -> Result<ReadMark.Outcome, SharingError> {
        do {
            let entry = try entry(mark.chat, in: database)
            try ChatRules.present(entry.participant(mark.reader))
            try settle(mark.chat, in: database)
            let outcome = try ReadingRow.read(mark, in: entry.chat, database)
            if outcome.hasMoved { commit.reads.append(ReadMove(mark: mark, outcome: outcome)) }
            return .success(outcome)
        } catch let refusal as SharingError {
            return .failure(refusal)
        }
    }
}
