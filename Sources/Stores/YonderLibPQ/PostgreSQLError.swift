#if Postgres
/// Why a database can't be used.
///
/// A message has cause and cure, and never the address's password.
package struct PostgreSQLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, and the only part that a program decides by.
    package struct Code: Hashable, Sendable {
        /// The name in logs.
        package let rawValue: String

        /// The address can't be read.
        package static let invalidAddress = Code(rawValue: "invalidAddress")
        /// The connection wouldn't be verified.
        package static let insecure = Code(rawValue: "insecure")
        /// No server answers there, or it refuses the user.
        package static let unreachable = Code(rawValue: "unreachable")
        /// The server is of a version that this program can't use.
        package static let tooOld = Code(rawValue: "tooOld")
        /// A newer version of the program has migrated the database.
        package static let tooNew = Code(rawValue: "tooNew")
        /// The database has tables that this program didn't make.
        package static let notEmpty = Code(rawValue: "notEmpty")
        /// The database is the target of a migration that hasn't ended.
        package static let incomplete = Code(rawValue: "incomplete")
        /// It lacks an index that its tables had.
        package static let damaged = Code(rawValue: "damaged")
        /// Another server has it for itself.
        package static let inUse = Code(rawValue: "inUse")
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
#endif
