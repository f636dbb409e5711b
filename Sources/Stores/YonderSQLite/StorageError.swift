import YonderOutboxTrait

/// The reason why a data folder can't be opened.
///
/// Opening, copying and restoring a folder throws it, also the outbox of a phone; programs print the message, and decide
/// by the code. Codes are public and must stay; a further one may come, so a `switch` needs a default. Texts may be
/// changed (`OpeningTests`, `FolderLockTests`).
public struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, and the only part a program decides by.
    public var code: Code

    /// A description of the fault, its place, and the remedy.
    public var message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The kinds of failure; more may be added.
    public struct Code: Hashable, Sendable {
        package let rawValue: String

        /// Another process, or another store of this one, has the folder open.
        public static let inUse = Self(rawValue: "inUse")
        /// A newer version of the program wrote the folder.
        public static let newerVersion = Self(rawValue: "newerVersion")
        /// The folder's file is not a database, or is damaged.
        public static let corrupt = Self(rawValue: "corrupt")
        /// The folder can't be created, read or written.
        public static let inaccessible = Self(rawValue: "inaccessible")
        /// The database must be migrated before it can be read, and the disk has no room for that.
        public static let noRoom = Self(rawValue: "noRoom")
        /// A step from the database's version to this program's can't be applied to what is in it.
        public static let migrationFailed = Self(rawValue: "migrationFailed")
        /// The folder is the target of a migration that hasn't ended.
        package static let incomplete = Self(rawValue: "incomplete")
        /// The folder that was to be written is not empty.
        public static let notEmpty = Self(rawValue: "notEmpty")
    }

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}
