import Testing
import YonderTables

struct TableStatementTests {
    @Test func `a table in PostgreSQL's dialect is a strict one in SQLite`() throws {
        let statement: TableStatement = """
            CREATE TABLE kind (
                id bigint PRIMARY KEY, word text COLLATE "C" NOT NULL, is_open boolean NOT NULL,
                width double precision, bytes bytea
            )
            """
        let text = """
            CREATE TABLE kind (
                id INTEGER PRIMARY KEY, word text NOT NULL, is_open INTEGER NOT NULL,
                width REAL, bytes BLOB
            ) STRICT
            """
        #expect(statement.sqlite == text)
    }
}
