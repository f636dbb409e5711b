#if Postgres
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderTables

@testable import YonderPostgreSQL

/// Shares and sign-ins of two nodes on one database, and of a database of before.
@Suite(.serialized, .enabled(if: TestDatabase.isInstalled, "PostgreSQL isn't installed"))
struct PostgreSQLShareTests {
    @Test
    func `a node whose memory has a share running refuses what comes after another node ended its sign-in`()
        async throws
    {
        try await TestDatabase.withTwoStores { one, other in
            let home = try await Home(one)
            let (first, second) = (SecretHash.random(), SecretHash.random())
            for secret in [first, second] {
                try await one.createCredential(
                    Credential(
                        secret: secret,
                        kind: .session,
                        user: home.ada,
                        created: home.now,
                        expires: nil
                    )
                )
            }
            func position(_ key: String, by secret: SecretHash, at time: Timestamp = home.now) -> Submission {
                let data = MessageData(checked: Array(#"{"latitude":"1","longitude":"2"}"#.utf8))
                return Submission(
                    chat: home.chat,
                    sender: home.ada,
                    key: key,
                    action: .message(MessageDraft(tag: .location, data: data)),
                    time: time,
                    source: secret.source
                )
            }
            let start = Submission(
                chat: home.chat,
                sender: home.ada,
                key: "start",
                action: .startShare(.random(), ShareWish()),
                time: home.now,
                source: first.source
            )
            let share = try #require(try await one.submit(start).shares.first)
            try await one.submit(position("1", by: first))
            #expect(try await other.feed(share, by: second, at: home.now))
            try await one.submit(position("2", by: second))
            try await one.removeCredential(first, of: home.ada, at: home.now)
            try await one.submit(position("3", by: second))
            try await other.removeCredential(second, of: home.ada, at: home.now)
            let refused = await one.submit([position("4", by: second, at: home.now + .seconds(1))])
            #expect(throws: SharingError.shareEnded) { try refused[0].get() }
            #expect(try await one.chat(home.chat).last == 5)
            #expect(try await one.endedShares(among: [share.id]).map(\.end?.ending) == [.stopped])
        }
    }

    @Test func `a share of a database of before is read, is fed, and ends with its sign-in`() async throws {
        let step = try #require(
            SchemaSteps.all.firstIndex { $0.contains { $0.contains("ADD COLUMN feeders") } }
        )
        try await TestDatabase.with { used in
            let old = TestDatabase(server: used.server, name: "\(used.name)_old")
            try await old.server.run("CREATE DATABASE \(old.name)")
            try await old.run(
                """
                CREATE TABLE schema (version bigint NOT NULL, least bigint NOT NULL,
                    is_incomplete boolean NOT NULL DEFAULT false)
                """
            )
            for statement in SchemaSteps.all[..<step].joined() { try await old.run(statement) }
            try await old.run("INSERT INTO schema (version, least) VALUES (\(step), 1)")
            try await old.run(
                """
                INSERT INTO account (id, name, is_operator, is_disabled, created, shows_reads)
                    VALUES (1, 'Ada', false, false, 1, true);
                INSERT INTO chat (id, one_to_one, subject, subject_locked, positions, first, last, written, active, created)
                    VALUES (7, false, '', false, 'month', 1, 0, 0, 1, 1);
                INSERT INTO participant (chat, person, place, role, color, is_present) VALUES (7, 1, 0, 'owner', 0, true);
                INSERT INTO span (chat, person, first) VALUES (7, 1, 1);
                INSERT INTO share (id, chat, person, started, keeping, shows_battery, after, is_erased)
                    VALUES (5, 7, 1, 1, 'kept', true, 0, false)
                """
            )
            try await old.withStore { store in
                let ada = try #require(UserID(1))
                let share = try #require(try await store.shares().first)
                #expect(share.feeders.isEmpty && share.end == nil)
                let (secret, now) = (SecretHash.random(), Timestamp(milliseconds: 9))
                try await store.createCredential(
                    Credential(secret: secret, kind: .token, user: ada, created: now, expires: nil)
                )
                #expect(try await store.feed(share, by: secret, at: now))
                try await store.removeCredential(secret, of: ada, at: now)
                #expect(try await store.shares().map(\.end?.ending) == [.stopped])
            }
        }
    }
}
#endif
