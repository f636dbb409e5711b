package import GRDB
import GRDBSQLite

/// Overwrites the bytes in a database's pages that hold no content.
///
/// SQLite leaves copies of cells there when it splits and merges pages, even with `secure_delete`. A page of
/// a b-tree, by <https://www.sqlite.org/fileformat2.html#b_tree_pages>:
///
/// ```
/// header 8 or 12 | pointers, 2 bytes a cell | unallocated … | cells and freeblocks
///   0: type (2, 5, 10, 13)                    overwritten       freeblocks: 2 next, 2 size, rest overwritten
///   1: first freeblock   3: number of cells   5: where the cells begin
/// ```
///
/// SQLite ignores these bytes, so that a page is valid at every moment, also if writing it was interrupted.
/// The caller holds the write lock, and the log is empty, so no other connection writes to the database file.
package struct PageScrubber {
    /// In a larger database, an overflow page may begin like one of a b-tree (its first byte is part of a
    /// number).
    static let largestPageCount: Int64 = 0x0200_0000

    private let file: UnsafeMutablePointer<sqlite3_file>
    private let pageSize: Int
    private let pageCount: Int64

    /// - Throws: `DatabaseError` if the connection has no file.
    package init(_ database: Database) throws {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        guard code == SQLITE_OK, let file else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        self.file = file
        pageSize = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 4_096
        pageCount = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
    }

    /// Overwrites leftovers in up to `limit` pages, beginning with `first`; pages are numbered from 1.
    ///
    /// - Returns: The number of pages with leftovers, and the page to continue with; `nil` after the last.
    /// - Throws: `DatabaseError` if the file can't be read or written.
    package func scrub(from first: Int64, limit: Int64) throws -> (changed: Int, next: Int64?) {
        guard pageCount < Self.largestPageCount else { return (0, nil) }
        let end = min(pageCount, first + limit - 1)
        var changed = 0
        var page = [UInt8](repeating: 0, count: pageSize)
        for number in stride(from: first, through: end, by: 1) {
            let offset = (number - 1) * Int64(pageSize)
            try check(file.pointee.pMethods.pointee.xRead(file, &page, CInt(pageSize), offset))
            guard Self.scrub(&page, isFirst: number == 1) else { continue }
            try check(file.pointee.pMethods.pointee.xWrite(file, page, CInt(pageSize), offset))
            changed += 1
        }
        return (changed, end < pageCount ? end + 1 : nil)
    }

    /// Flushes the overwritten pages.
    ///
    /// - Throws: `DatabaseError` if the disk fails.
    package func flush() throws {
        try check(file.pointee.pMethods.pointee.xSync(file, SQLITE_SYNC_NORMAL))
    }

    private func check(_ code: CInt) throws {
        guard code == SQLITE_OK else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code),
                message: "A page can't be overwritten."
            )
        }
    }

    /// Overwrites the unused bytes of a page; a page that isn't a well-formed b-tree page stays unchanged.
    ///
    /// - Returns: Whether any unused byte wasn't zero.
    package static func scrub(_ page: inout [UInt8], isFirst: Bool) -> Bool {
        let header = isFirst ? 100 : 0
        guard let length = [2: 12, 5: 12, 10: 8, 13: 8][page[header]] else { return false }
        let number = { (offset: Int, page: [UInt8]) in Int(page[offset]) << 8 | Int(page[offset + 1]) }
        let gap = header + length + 2 * number(header + 3, page)
        let cells = number(header + 5, page) == 0 ? 65_536 : number(header + 5, page)
        guard gap <= cells, cells <= page.count else { return false }
        var found = overwrite(&page, gap..<cells)
        var block = number(header + 1, page)
        while block != 0 {
            guard block >= cells, block + 4 <= page.count else { return found }
            let (next, size) = (number(block, page), number(block + 2, page))
            guard size >= 4, block + size <= page.count, next == 0 || next > block else { return found }
            found = overwrite(&page, block + 4..<block + size) || found
            block = next
        }
        return found
    }

    private static func overwrite(_ page: inout [UInt8], _ range: Range<Int>) -> Bool {
        guard page[range].contains(where: { $0 != 0 }) else { return false }
        for place in range { page[place] = 0 }
        return true
    }
}
