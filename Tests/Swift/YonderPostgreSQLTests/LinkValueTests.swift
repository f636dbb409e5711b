#if Postgres
import Testing

@testable import YonderLibPQ
@testable import YonderPostgreSQL

struct LinkValueTests {
    @Test
    func `a database on another machine must be verified, and no error or description has the password`()
        throws
    {
        for mode in ["disable", "allow", "prefer", "require", "verify-ca"] {
            let error = #expect(throws: PostgreSQLError.self) {
                try PostgreSQLAddress("postgres://ada:hush@db.example/yonder?sslmode=\(mode)")
            }
            #expect(error?.code == .insecure && error?.message.contains("hush") == false)
        }
        for host in ["db.example", "127.0.0.1,db.example", "127.0.0.1.example", "10.0.0.1"] {
            let address = try PostgreSQLAddress("postgres://ada:hush@\(host)/yonder")
            #expect(address.options(for: .writing).contains { $0 == ("sslmode", "verify-full") }, "\(host)")
            #expect(!"\(address)".contains("hush") && !String(reflecting: address).contains("hush"))
        }
        for host in ["127.0.0.1", "127.1.2.3", "localhost", "[::1]", "%2Ftmp"] {
            let address = try PostgreSQLAddress("postgres://ada@\(host)/yonder")
            #expect(!address.options(for: .writing).contains { $0 == ("sslmode", "verify-full") }, "\(host)")
        }
        for url in [
            "postgres://ada:hush@[::1/yonder", "postgres:///yonder?password=hush", "service=hush host=::1",
        ] {
            let error = #expect(throws: PostgreSQLError.self) { try PostgreSQLAddress(url) }
            #expect(error?.code == .invalidAddress && error?.message.contains("hush") == false)
        }
    }

    @Test func `a silent connection ends within about twelve seconds, and none goes around TLS`() throws {
        let address = try PostgreSQLAddress("postgres://ada@db.example/yonder")
        let options = Dictionary(
            uniqueKeysWithValues: address.options(for: .writing).map { ($0.keyword, $0.value) }
        )
        #expect(options["keepalives_idle"] == "5" && options["keepalives_interval"] == "2")
        #expect(options["keepalives_count"] == "3" && options["gssencmode"] == "disable")
        // Above 5 + 3 × 2 s: it would end a connection at its first unanswered probe.
        #expect(options["tcp_user_timeout"] == "12000")
    }

    @Test(arguments: [Link.Purpose.reading, .writing, .upkeep])
    func `PostgreSQL ends the session of a client that vanished`(_ purpose: Link.Purpose) async throws {
        try await TestDatabase.with { database in
            let link = try Link(database.address, for: purpose) { _ in }
            let settings = Statement(
                once: """
                    SELECT name || '=' || setting FROM pg_settings WHERE name LIKE 'tcp\\_%' ORDER BY name
                    """
            )
            #expect(
                try await link.run(settings).rows.map { $0.text(0) } == [
                    "tcp_keepalives_count=3", "tcp_keepalives_idle=5", "tcp_keepalives_interval=2",
                    "tcp_user_timeout=12000",
                ]
            )
            await link.close()
        }
    }

    @Test func `a warning casts doubt only on what commits`() async throws {
        try await TestDatabase.with { database in
            let warning = Statement(once: "DO $$ BEGIN RAISE WARNING 'a standby, or not'; END $$")
            for purpose in [Link.Purpose.reading, .upkeep] {
                let link = try Link(database.address, for: purpose) { _ in }
                _ = try await link.run(warning)
                await link.close()
            }
            let link = try Link(database.address, for: .writing) { _ in }
            let failure = await #expect(throws: LinkFailure.self) { try await link.run(warning) }
            #expect(failure?.outcome == .unknown)
            let connection = try await link.run(Statement(once: "BEGIN")).connection
            _ = try await link.run(warning, on: connection)
            _ = try await link.run(.commit, on: connection)
            await link.close()
        }
    }

    @Test func `an address keeps its own options beside those of the link`() throws {
        let address = try PostgreSQLAddress(
            "postgres://one.example,two.example/yonder?connect_timeout=9&options=-c%20work_mem%3D8MB"
        )
        let options = Dictionary(
            uniqueKeysWithValues: address.options(for: .reading).map { ($0.keyword, $0.value) }
        )
        #expect(options["host"] == "one.example,two.example" && options["connect_timeout"] == "9")
        #expect(options["target_session_attrs"] == "read-write")
        #expect(options["options"]?.hasPrefix("-c work_mem=8MB -c tcp_keepalives_idle=5") == true)
        #expect(options["options"]?.contains("statement_timeout=5000") == true)
    }

    @Test func `every server has the same name in the database, whatever its address says`() throws {
        let address = try PostgreSQLAddress("postgres://one.example/yonder?application_name=mine")
        let options = Dictionary(
            uniqueKeysWithValues: address.options(for: .writing).map { ($0.keyword, $0.value) }
        )
        #expect(options["application_name"] == "yonder")
    }

    @Test(arguments: [
        ("40001", SQLState.Kind.again), ("40P01", .again), ("55P03", .again), ("23505", .duplicate),
        ("08006", .disconnected), ("57P01", .disconnected), ("25006", .disconnected), ("", .disconnected),
        ("57014", .failed), ("22021", .failed), ("53100", .failed), ("23503", .failed),
    ])
    func `a state says whether the same may succeed`(_ state: String, _ kind: SQLState.Kind) {
        #expect(SQLState(state).kind == kind)
    }

    @Test func `an array is coded as PostgreSQL reads it`() {
        let header: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 20, 0, 0, 0, 2, 0, 0, 0, 1]
        let buffer = ParameterBuffer([.null, .optionalInts([258, nil]), .ints([]), .bytes([])])
        let one: [UInt8] = [0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 1, 2]
        let empty: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 20]
        #expect(buffer.bytes == header + one + [255, 255, 255, 255] + empty)
        #expect(buffer.ranges == [nil, 0..<36, 36..<48, 48..<48])
        let whole = ParameterBuffer([.ints([258, 7])]).bytes
        #expect(whole == ParameterBuffer([.optionalInts([258, 7])]).bytes)
        let texts = ParameterBuffer([.utf8s(["a\0", ""])]).bytes
        #expect(texts == ParameterBuffer([.byteArrays([[97, 0], []])]).bytes)
    }

    @Test func `a link waits longer from attempt to attempt, up to a second`() {
        var backoff = Backoff()
        let now = ContinuousClock.now
        #expect(backoff.delay(at: now) == nil)
        var delays: [Int32] = []
        for _ in 0..<10 {
            backoff.fail(at: now)
            delays.append(backoff.delay(at: now) ?? 0)
        }
        #expect((37...64).contains(delays[0]) && delays.allSatisfy { $0 <= 1_251 })
        #expect((750...1_251).contains(delays[9]))
        backoff.succeed()
        #expect(backoff.delay(at: now) == nil)
    }

    @Test func `an answer counts only behind its sync, and a doubt makes the outcome unknown`() {
        var flight = Flight()
        func unit(commits: Bool = true) -> Unit {
            Unit(
                statement: Statement(name: "s", sql: "SELECT 1"),
                parameters: ParameterBuffer([]),
                connection: nil,
                commits: commits,
                deadline: .now,
                completion: { _ in }
            )
        }
        for _ in 0..<3 { flight.append(.unit(unit())) }
        flight.append(.unit(unit(commits: false)))
        flight.append(.unit(unit()))
        if case .success? = flight.finish(connection: 1)?.1 {} else { Issue.record("It succeeded.") }
        flight.fail(SQLState("40001"), "serialization")
        flight.fail(SQLState(""), "skipped")
        guard case .failure(let failure)? = flight.finish(connection: 1)?.1 else {
            Issue.record("It failed.")
            return
        }
        #expect(failure.isTransient && !flight.isBroken)
        flight.doubt()
        guard case .failure(let doubt)? = flight.finish(connection: 1)?.1 else {
            Issue.record("Its outcome is unknown.")
            return
        }
        #expect(doubt.outcome == .unknown)
        flight.doubt()
        if case .success? = flight.finish(connection: 1)?.1 {} else { Issue.record("It commits nothing.") }
        flight.fail(SQLState("57P01"), "shutdown")
        #expect(flight.isBroken && flight.removeAll().count == 1 && flight.isEmpty)
    }
}
#endif
