import YonderTables

/// Copies everything from one database into an empty one, and compares both.
///
/// The target is marked as incomplete from before the first row until both were found to be equal; a server refuses to
/// start on it meanwhile. The source's content isn't changed.
///
/// Any failure, and the end of the process at any statement, leaves a target without a row, which another migration can
/// fill, or one with rows, which servers and migrations refuse: the operator removes it and begins again. Of a difference
/// the message names the tables.
///
/// The order is: mark, copy, compare schema and rows, unmark. Which tables and columns are copied is
/// ``MigrationTable/all``.
package struct Migration: Sendable {
    private let source: any MigrationEnd
    private let target: any MigrationEnd
    private let report: @Sendable (String) -> Void

    /// Prepares a migration.
    ///
    /// - Parameters:
    ///   - source: The database that is copied.
    ///   - target: The database into which the copy is written; empty.
    ///   - report: Called with each line of the report: one for the schema, then one for each table.
    package init(
        from source: any MigrationEnd,
        to target: any MigrationEnd,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.source = source
        self.target = target
        self.report = report
    }

    /// Copies and compares.
    ///
    /// - Throws: ``MigrationError``; after an error behind ``MigrationEnd/begin()``, the target stays marked as incomplete.
    package func run() async throws(MigrationError) {
        try await source.checkUnused()
        try await target.checkUnused()
        try await checkEmpty()
        try await target.begin()
        var digests: [TableDigest] = []
        for table in MigrationTable.all { digests.append(try await copy(table)) }
        try await target.complete(numbers: try await highestNumbers())
        try await checkSchema()
        try await compare(digests)
        try await source.checkUnused()
        try await target.release()
    }

    private func checkEmpty() async throws(MigrationError) {
        for table in MigrationTable.all {
            guard try await target.rows(of: table, after: nil, limit: 1).isEmpty else {
                throw MigrationError(
                    .notEmpty,
                    """
                    \(target.place) isn't empty: \(table.name) has rows, perhaps of a migration that was interrupted. Name a new \
                    folder or an empty database.
                    """
                )
            }
        }
    }

    private func checkSchema() async throws(MigrationError) {
        let comparison = try await target.compareSchema()
        let differences = comparison.differences
        guard !differences.isEmpty else { return report("schema: \(comparison.count) parts, equal") }
        let some = differences.prefix(10).joined(separator: "; ") + (differences.count > 10 ? "; …" : "")
        report("schema: \(comparison.count) parts, DIFFERENT in \(differences.count): \(some)")
        throw MigrationError(
            .different,
            """
            \(target.place) hasn't the tables of this program: \(some). Servers refuse it; remove it and begin again.
            """
        )
    }

    private func highestNumbers() async throws(MigrationError) -> [String: Int64] {
        var numbers: [String: Int64] = [:]
        for table in MigrationTable.all where ["entity", "object"].contains(table.name) {
            numbers[table.name] = try await source.highestNumber(of: table)
        }
        return numbers
    }

    /// Copies a table page by page.
    ///
    /// - Returns: The digest of the source's rows.
    private func copy(_ table: MigrationTable) async throws(MigrationError) -> TableDigest {
        try await read(table, of: source) { rows throws(MigrationError) in
            try await target.insert(rows, into: table)
        }
    }

    private func read(
        _ table: MigrationTable,
        of end: any MigrationEnd,
        _ body: ([[Cell]]) async throws(MigrationError) -> Void = { _ in }
    ) async throws(MigrationError) -> TableDigest {
        var digest = TableDigest(isDivided: table.isDivided)
        var key: [Cell]?
        while true {
            let rows = try await end.rows(of: table, after: key, limit: table.page)
            guard let last = rows.last else { return digest }
            try await body(rows)
            for row in rows { digest.add(row) }
            key = table.key(of: last)
        }
    }

    /// Reads the whole target, and compares its digests with those of the source.
    private func compare(_ digests: [TableDigest]) async throws(MigrationError) {
        var different: [String] = []
        for (table, before) in zip(MigrationTable.all, digests) {
            let after = try await read(table, of: target)
            let differences = after.differences(from: before)
            report(Self.line(table, before, after, differences))
            if !differences.isEmpty { different.append(table.name) }
        }
        guard different.isEmpty else {
            throw MigrationError(
                .different,
                """
                \(target.place) isn't equal to \(source.place) in: \(different.joined(separator: ", ")). Servers refuse it; \
                remove it and begin again.
                """
            )
        }
    }

    private static func line(
        _ table: MigrationTable,
        _ before: TableDigest,
        _ after: TableDigest,
        _ differences: [Int64]
    ) -> String {
        let count =
            "\(table.name): \(before.count) rows"
            + (table.isDivided ? " in \(before.parts.count) chats" : "")
        guard !differences.isEmpty else { return count + ", equal" }
        guard table.isDivided else { return count + ", DIFFERENT: the target has \(after.count)" }
        let some = differences.prefix(20).map(String.init).joined(separator: ", ")
        return count + ", DIFFERENT in \(differences.count) chats: \(some)"
            + (differences.count > 20 ? ", …" : "")
    }
}
