import ArgumentParser

/// The place where a server keeps everything: a folder of its own, or a database that other servers may share.
///
/// `ServeSettings`, `ConsoleOptions` and `BackupCommand` read one of flags and variables; `ServerStore.swift` opens it.
/// Both or neither is a `ValidationError`. Names and addresses that are accepted are promised in
/// `Documentation/configuration.md` (`test_command_line.py`).
enum StorePlace: Hashable {
    /// A data folder, with SQLite in it.
    case folder(String)

    /// The address of a PostgreSQL database; it may have a password, so it is never printed.
    case database(String)

    /// Reads `--data` and `--store`, of which one is needed.
    ///
    /// - Throws: `ValidationError`.
    init(data: String?, store: String?) throws {
        switch (data, store) {
        case (let data?, nil) where !data.isEmpty: self = .folder(data)
        case (nil, let store?):
            guard store.hasPrefix("postgres://") || store.hasPrefix("postgresql://") else {
                throw ValidationError(
                    "store must be the address of a database, as in: postgres://USER@HOST/DATABASE. For a folder use --data."
                )
            }
            self = .database(store)
        case (_?, _?):
            throw ValidationError("Give either data, for a folder, or store, for a database, not both.")
        default:
            throw ValidationError("Say where the data is, as in: --data FOLDER")
        }
    }

    /// Reads the flags, and without one the variables `YONDER_DATA` and `YONDER_STORE`.
    ///
    /// - Throws: `ValidationError`.
    init(data: String?, store: String?, environment: [String: String]) throws {
        // A flag for the one makes the other's variable count no more.
        let isGiven = data != nil || store != nil
        try self.init(
            data: isGiven ? data : environment["YONDER_DATA"],
            store: isGiven ? store : environment["YONDER_STORE"]
        )
    }

    /// The data folder, or `nil` for a database.
    var folder: String? {
        if case .folder(let path) = self { path } else { nil }
    }
}
