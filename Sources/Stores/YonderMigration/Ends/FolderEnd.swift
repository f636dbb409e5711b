import Dispatch
import YonderModel
import YonderSQLite
import YonderStorage
package import YonderTables

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A data folder, locked as by a server, so that no server can open the folder meanwhile.
///
/// A target that fails is left incomplete: remove the folder and migrate again. Tables and columns are those of
/// `NounLists.swift`; what SQLite computes from its messages isn't copied.
package struct FolderEnd: MigrationEnd {
    /// The folder.
    package let place: String

    private let store: SQLiteStore

    /// Opens a folder as a source, and moves its recent messages to their chats.
    ///
    /// - Throws: ``MigrationError`` with code `noSource`, `inUse` or `failed`.
    package static func source(_ folder: String) async throws(MigrationError) -> FolderEnd {
        guard FileManager.default.fileExists(atPath: "\(folder)/\(StoreBackup.databaseName)") else {
            throw MigrationError(
                .noSource,
                "\(folder) has no database: \(StoreBackup.databaseName) isn't there."
            )
        }
        let end = try FolderEnd(folder, isTarget: false)
        do throws(SharingError) {
            try await end.store.settle()
        } catch {
            await end.close()
            throw end.failure(error)
        }
        return end
    }

    /// Opens or makes a folder as a target.
    ///
    /// - Throws: ``MigrationError`` with code `inUse` or `failed`.
    package static func target(_ folder: String) throws(MigrationError) -> FolderEnd {
        try FolderEnd(folder, isTarget: true)
    }

    private init(_ folder: String, isTarget: Bool) throws(MigrationError) {
        place = folder
        do throws(StorageError) {
            store = try SQLiteStore.open(folder: folder, admitsIncomplete: isTarget)
        } catch {
            let code: MigrationError.Code = [.inUse: .inUse, .incomplete: .noSource][error.code] ?? .failed
            throw MigrationError(code, error.message)
        }
    }

    private func failure(_ error: SharingError) -> MigrationError {
        MigrationError(.failed, "\(place) can't be read or written: \(error.message)")
    }

    /// Does nothing: the folder is locked while it is open.
    package func checkUnused() async throws(MigrationError) {}

    package func tableNames() async throws(MigrationError) -> Set<String> {
        let names = try await read("SELECT name FROM sqlite_schema WHERE type = 'table'", [], [.text])
        return Set(names.compactMap { $0[0].bytes.map { String(decoding: $0, as: UTF8.self) } })
    }

    package func rows(of table: MigrationTable, after key: [Cell]?, limit: Int) async throws(MigrationError)
        -> [[Cell]]
    {
        let names = table.key.map(\.folderValue).joined(separator: ", ")
        let marks = table.key.map { _ in "?" }.joined(separator: ", ")
        let columns = table.columns.map(\.folderValue).joined(separator: ", ")
        let sql = """
            SELECT \(columns) FROM \(table.name) \(key == nil ? "" : "WHERE (\(names)) > (\(marks))")
            ORDER BY \(names) LIMIT \(limit)
            """
        let bound = zip(table.key, key ?? []).map { ($0.kind, $1) }
        return try await read(sql, bound, table.columns.map(\.kind))
    }

    package func highestNumber(of table: MigrationTable) async throws(MigrationError) -> Int64 {
        let sql = "SELECT seq FROM sqlite_sequence WHERE name = '\(table.name)'"
        return try await read(sql, [], [.int]).first?[0].int ?? 0
    }

    package func begin() async throws(MigrationError) {
        do throws(SharingError) {
            try await store.setIncomplete(true)
        } catch {
            throw failure(error)
        }
    }

    package func insert(_ rows: [[Cell]], into table: MigrationTable) async throws(MigrationError) {
        let places = table.columns.indices.filter { table.columns[$0].isInFolder }
        let names = places.map { table.columns[$0].name }
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        let sql = "INSERT INTO \(table.name) (\(names.joined(separator: ", "))) VALUES (\(marks))"
        do throws(SharingError) {
            try await store.file.write { database in
                let statement = try Statement(database, sql)
                for row in rows {
                    for (place, column) in places.enumerated() {
                        statement.bind(row[column], as: table.columns[column].kind, at: CInt(place + 1))
                    }
                    try statement.run()
                }
            }
        } catch {
            throw failure(error)
        }
    }

    package func complete(numbers: [String: Int64]) async throws(MigrationError) {
        do throws(SharingError) {
            try await store.file.write { database in
                for (table, number) in numbers where number > 0 {
                    let removal = try Statement(database, "DELETE FROM sqlite_sequence WHERE name = ?")
                    removal.bind(text: table, at: 1)
                    try removal.run()
                    let note = try Statement(
                        database,
                        "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)"
                    )
                    note.bind(text: table, at: 1)
                    note.bind(number, at: 2)
                    try note.run()
                }
            }
        } catch {
            throw failure(error)
        }
    }

    package func compareSchema() async throws(MigrationError) -> SchemaComparison {
        do throws(SharingError) {
            let (count, differences) = try await store.compareSchema()
            return SchemaComparison(count: count, differences: differences)
        } catch {
            throw failure(error)
        }
    }

    package func release() async throws(MigrationError) {
        do throws(SharingError) {
            try await store.setIncomplete(false)
        } catch {
            throw failure(error)
        }
    }

    package func close() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                try? store.close()
                continuation.resume()
            }
        }
    }

    private func read(_ sql: String, _ bound: [(Column.Kind, Cell)], _ kinds: [Column.Kind])
        async throws(MigrationError)
        -> [[Cell]]
    {
        do throws(SharingError) {
            return try await store.file.read { database in
                let statement = try Statement(database, sql)
                for (place, value) in bound.enumerated() {
                    statement.bind(value.1, as: value.0, at: CInt(place + 1))
                }
                var rows: [[Cell]] = []
                try statement.forEachRow { row in
                    rows.append(kinds.indices.map { row.cell(CInt($0), kinds[$0]) })
                }
                return rows
            }
        } catch {
            throw failure(error)
        }
    }
}

extension Statement {
    fileprivate func bind(_ cell: Cell, as kind: Column.Kind, at place: CInt) {
        switch kind {
        case .int, .bool: bind(cell.int, at: place)
        case .double: bind(real: cell.double, at: place)
        case .bytes: bind(bytes: cell.bytes, at: place)
        case .text:
            if let bytes = cell.bytes {
                bind(text: String(decoding: bytes, as: UTF8.self), at: place)
            } else {
                bind(nil, at: place)
            }
        }
    }
}

extension Row {
    fileprivate func cell(_ column: CInt, _ kind: Column.Kind) -> Cell {
        guard !isNull(column) else { return .null }
        return switch kind {
        case .int, .bool: .int(integer(column))
        case .double: .double(real(column))
        case .text, .bytes: .bytes(bytes(column))
        }
    }
}
