#if Postgres
package import YonderModel
package import YonderLibPQ
import YonderTables

// The preparation of a database for a migration into it: its mark, the indexes that are made after the copy, and the
// comparison of its tables with those of the steps. A database with the mark is opened by nothing but another migration, so
// the mark is set before the first row and removed last. What the database must have comes from ``SchemaSteps`` alone,
// never from what it has: an earlier migration may have been cut off.
extension PostgreSQLStore {
    /// The table whose indexes are made after the copy: PostgreSQL builds a large index from all rows several times as fast as
    /// row by row.
    private static let largest = "message"

    /// Marks the database as the target of a migration that hasn't ended, and drops the indexes that
    /// ``makeIndexes(over:)`` makes, in one transaction: of an interruption all of it remains, or nothing.
    ///
    /// - Throws: `unavailable`.
    package func beginFilling() async throws(SharingError) {
        let names = Schema.indexes.creations(for: Self.largest).map(\.name)
        try await transaction(isRepeatable: true) { transaction in
            try await transaction.execute(Statement(once: "UPDATE schema SET is_incomplete = true"))
            // Earlier versions noted indexes there.
            try await transaction.execute(Statement(once: "DROP TABLE IF EXISTS migrated_index"))
            let removal = "DROP INDEX IF EXISTS \(names.joined(separator: ", "))"
            try await transaction.execute(Statement(once: removal))
            try await transaction.onThread { _ = try $0.execute(Clearing.again) }
        }
    }

    /// Removes the mark of ``beginFilling()``.
    ///
    /// - Throws: `unavailable`.
    package func endFilling() async throws(SharingError) {
        try await transaction(isRepeatable: true) { transaction in
            _ = try await transaction.execute(Statement(once: "UPDATE schema SET is_incomplete = false"))
        }
    }

    /// Makes every index of the steps that is missing; may take hours.
    ///
    /// - Parameter link: A connection of upkeep.
    /// - Throws: ``LinkFailure``.
    package static func makeIndexes(over link: Link) async throws(LinkFailure) {
        let present = Set(try await link.run(Schema.presentIndexes).rows.map { $0.text(0) })
        for index in Schema.indexes.all where !present.contains(index.name) {
            if let creation = index.creation { _ = try await link.run(Statement(once: creation)) }
        }
    }

    /// Compares the tables, columns, indexes, constraints, triggers and functions of the database with those that the steps
    /// make, in a schema of their own that is rolled back.
    ///
    /// - Parameter link: A connection of upkeep, whose user may make a schema.
    /// - Returns: How many parts the steps make, and the ones that are missing or different.
    /// - Throws: ``LinkFailure``.
    package static func compareSchema(over link: Link) async throws(LinkFailure) -> (
        count: Int, differences: [String]
    ) {
        let connection = try await link.run(Statement(once: "BEGIN")).connection
        let result: Result<(Int, [String]), LinkFailure>
        do throws(LinkFailure) {
            let present = Set(try await SchemaParts.read(over: link, on: connection))
            let making = [
                "CREATE SCHEMA yonder_expected", "SET LOCAL search_path TO yonder_expected", Schema.table,
            ]
            for statement in making + SchemaSteps.all.flatMap(\.self) {
                _ = try await link.run(Statement(once: statement), on: connection)
            }
            let expected = try await SchemaParts.read(over: link, on: connection)
            result = .success((expected.count, expected.filter { !present.contains($0) }))
        } catch {
            result = .failure(error)
        }
        _ = try await link.run(Statement(once: "ROLLBACK"), on: connection)
        return try result.get()
    }
}

/// The parts of the current schema, each as a line of text that is the same in every schema.
private enum SchemaParts {
    static func read(over link: Link, on connection: Int) async throws(LinkFailure) -> [String] {
        var parts: [String] = []
        for sql in [columns, indexes, constraints, triggers, functions] {
            parts += try await link.run(Statement(once: sql), on: connection).rows.map { $0.text(0) }
        }
        return parts
    }

    private static let tables = """
        pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = current_schema() AND c.relkind = 'r'
        """

    private static let columns = """
        SELECT concat_ws(' ', 'column', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull::text,
            a.attidentity::text, a.attstorage::text, l.collname::text, pg_get_expr(d.adbin, d.adrelid), c.reloptions::text)
        FROM \(tables) JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum LEFT JOIN pg_collation l ON l.oid = a.attcollation
        """

    // With `true` a name has no schema before it that is found without.
    private static let indexes = """
        SELECT concat_ws(' ', 'index', pg_get_indexdef(i.indexrelid, 0, true), i.indisvalid::text)
        FROM \(tables) JOIN pg_index i ON i.indrelid = c.oid
        """

    // Those of columns that aren't NULL are constraints from PostgreSQL 18 on.
    private static let constraints = """
        SELECT concat_ws(' ', 'constraint', c.relname, o.conname, pg_get_constraintdef(o.oid, true))
        FROM \(tables) JOIN pg_constraint o ON o.conrelid = c.oid AND o.contype <> 'n'
        """

    private static let triggers = """
        SELECT concat_ws(' ', 'trigger', pg_get_triggerdef(t.oid, true))
        FROM \(tables) JOIN pg_trigger t ON t.tgrelid = c.oid AND NOT t.tgisinternal
        """

    private static let functions = """
        SELECT concat_ws(' ', 'function', p.proname, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid),
            p.proconfig::text, md5(p.prosrc))
        FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace AND n.nspname = current_schema()
        """
}
#endif
