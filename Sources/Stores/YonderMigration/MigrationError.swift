/// Why a migration stopped.
///
/// `Migration` and its ends throw it; `MigrateCommand` prints the message and ends. Messages name the end and what to
/// do, never a password. Codes are for tests (`MigrationTests`); texts may be changed.
package struct MigrationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, and the only part that a program decides by.
    package struct Code: Hashable, Sendable {
        /// The name in logs.
        package let rawValue: String

        /// A server uses the source or the target.
        package static let inUse = Code(rawValue: "inUse")
        /// The source doesn't exist, or is itself the target of a migration that didn't end.
        package static let noSource = Code(rawValue: "noSource")
        /// The target has rows.
        package static let notEmpty = Code(rawValue: "notEmpty")
        /// A row can't be read or written.
        package static let failed = Code(rawValue: "failed")
        /// The copy isn't equal to the source.
        package static let different = Code(rawValue: "different")
        /// The program was built without PostgreSQL.
        package static let withoutPostgreSQL = Code(rawValue: "withoutPostgreSQL")
    }

    /// The kind of failure.
    package let code: Code

    /// What was wrong, where, and the remedy.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message and the code.
    package var description: String { "\(message) (\(code.rawValue))" }
}
