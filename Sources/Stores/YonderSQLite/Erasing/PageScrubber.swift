import CSQLite

/// Overwrites leftovers in the pages of a database file, in place.
///
/// The caller ensures that no other connection writes to the file meanwhile: it holds the lock of checkpoints, or the
/// write lock over an empty log. For readers a page is valid at every moment: ``PageLayout``.
///
/// `Checkpointer` makes one for each step. A page whose kind isn't certain, or that is damaged, stays as it is and is
/// counted. A write that fails leaves a page old or new, because one page is one write. Which bytes are leftovers is
/// decided in ``PageLayout`` (decision 15, `PageScrubberTests`, which compare every row before and after).
package struct PageScrubber {
    private let file: DatabaseFile
    private let pageSize: Int
    private let layout: PageLayout

    /// - Throws: `DatabaseError` if the connection has no file.
    package init(_ database: Database) throws {
        let path = sqlite3_db_filename(database.handle, "main").map { String(cString: $0) }
        try self.init(database, writes: PageWrites(path: path ?? ""))
    }

    init(_ database: Database, writes: PageWrites) throws {
        file = try DatabaseFile(database)
        pageSize = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 4_096
        layout = PageLayout(
            pageLimit: writes.layout(of: file, pageSize: pageSize).pageLimit,
            hasPointerMap: try file.hasPointerMap()
        )
    }

    /// Overwrites leftovers in up to `limit` pages, beginning with `first`; pages are numbered from 1.
    ///
    /// - Returns: The numbers of pages with leftovers, of pages of uncertain kind, and of the page to continue with;
    ///   `nil` after the last.
    /// - Throws: `DatabaseError` if the file can't be read or written.
    package func scrub(from first: Int64, limit: Int64) throws -> ScrubStep {
        let count = file.bytes / Int64(pageSize)
        let end = min(count, first + min(limit, count) - 1)
        var step = ScrubStep(next: end < count ? end + 1 : nil)
        guard first <= end else { return step }
        try withUnsafeTemporaryAllocation(byteCount: pageSize, alignment: 16) { page in
            for number in first...end { step.count(try scrub(number, in: page)) }
        }
        return step
    }

    private func scrub(_ number: Int64, in page: UnsafeMutableRawBufferPointer) throws -> PageLayout.Outcome {
        let offset = (number - 1) * Int64(pageSize)
        try file.read(into: page, at: offset)
        let outcome = layout.scrub(page, number: number)
        if outcome == .scrubbed { try file.write(UnsafeRawBufferPointer(page), at: offset) }
        return outcome
    }

    /// Flushes the overwritten pages.
    ///
    /// - Throws: `DatabaseError` if the disk fails.
    package func flush() throws {
        try file.flush()
    }
}

/// The result of scrubbing some pages in place.
package struct ScrubStep: Equatable, Sendable {
    /// How many pages had leftovers.
    package var changed = 0
    /// How many pages may have leftovers, because their kind isn't certain.
    package var unsure = 0
    /// How many pages were read.
    package var read = 0
    /// The page to continue with; `nil` after the last.
    package var next: Int64?

    init(next: Int64?) {
        self.next = next
    }

    fileprivate mutating func count(_ outcome: PageLayout.Outcome) {
        read += 1
        switch outcome {
        case .clean: break
        case .scrubbed: changed += 1
        case .unsure: unsure += 1
        }
    }
}
