import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules
import YonderSQLite

@testable import YonderStorage

/// What a server asks costs the same amid a hundred times as many rows that it doesn't ask for.
struct StatementCostTests {
    private let meter = StatementMeter()
    private let folders = (TemporaryFolder(), TemporaryFolder())

    /// The texts whose cost may grow with what isn't asked for, each with the reason.
    private static let growing: [(text: String, reason: String)] = [
        (
            "SELECT time FROM message WHERE chat = ? AND number >= ? ORDER BY number LIMIT 1",
            "bisection looks once more for each doubling of the log"
        ),
        (
            "late IS NULL AND data IS NOT NULL",
            "positions of an expiring share that is over are passed until they are erased, within a minute"
        ),
        ("FROM chat WHERE positions <> 'forever'", "every chat is looked at once an hour"),
        ("SELECT number, time FROM message INDEXED BY messageByTag", "every chat is looked at once an hour"),
        (
            "INSERT INTO message (",
            "what waits to be moved is moved before positions are erased, once an hour"
        ),
        ("DELETE FROM recent WHERE id < ?", "moved messages are removed once, some thousands at a time"),
        ("SELECT max(created) AS time FROM credential", "asked once, at the start"),
        ("FROM object WHERE latitude IS NOT NULL ORDER BY number", "all objects with a place are asked for"),
    ]

    /// The texts that no question runs, each with the reason.
    private static let unasked: [(text: String, reason: String)] = [
        ("removed_entity", "an interrupted removal goes on, at the start"),
        ("SELECT person FROM leaving WHERE person", "a removal is asked for a second time"),
        ("SELECT id FROM image WHERE created <", "asked if an image is loose"),
        ("DELETE FROM image WHERE id IN", "the same"),
        ("DELETE FROM entity WHERE number = ?", "the same"),
        (
            "WHERE entity = ? ORDER BY number LIMIT 1000",
            "a removed entity's objects go, a thousand at a time"
        ),
    ]

    @Test
    func `each statement takes as many steps amid a hundred times as many rows that it doesn't ask for`()
        async throws
    {
        let stores = (try store(in: folders.0), try store(in: folders.1))
        let small = try await CostWorld(stores.0, noise: 20)
        let large = try await CostWorld(stores.1, noise: 2_000)
        for world in [small, large] { _ = try await world.store.shares() }
        var asked: Set<String> = Set(meter.take().keys)
        for question in StoreQuestion.all {
            try await question.ask(small)
            let base = meter.take()
            try await question.ask(large)
            let grown = meter.take()
            asked.formUnion(grown.keys)
            for (text, cost) in grown {
                expect(cost, atMost: base[text] ?? StatementMeter.Cost(), text, in: question)
            }
        }
        try await expectUsed(asked, in: stores.1)
        for store in [stores.0, stores.1] { try store.close() }
        try await expectAsked(asked)
    }

    /// The indexes that no statement names in its plan, each with the reason.
    private static let inTriggers = ["imageUseByMessage": "a trigger goes by it when a photo is emptied"]

    /// Expects that every index is one by which a statement goes.
    private func expectUsed(_ texts: Set<String>, in store: SQLiteStore) async throws {
        let unused = try await store.file.read { database in
            let plans = texts.flatMap { text in
                let plain = text.replacing(/\?[0-9]*/, with: "1").replacing(", …", with: "")
                return (try? String.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(plain)", column: 3)) ?? []
            }
            let indexes = try String.fetchAll(
                database,
                sql: "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
            )
            return indexes.filter { name in !plans.contains { "\($0) ".contains("INDEX \(name) ") } }
        }
        let missing = unused.filter { Self.inTriggers[$0] == nil }
        #expect(missing.isEmpty, "No statement goes by these indexes: \(missing)")
    }

    private func expect(
        _ cost: StatementMeter.Cost,
        atMost base: StatementMeter.Cost,
        _ text: String,
        in question: StoreQuestion
    ) {
        guard !Self.growing.contains(where: { text.contains($0.text) }) else { return }
        #expect(
            cost.steps <= base.steps * 3 / 2 + 60,
            "\(question.testDescription): \(base.steps) → \(cost.steps) steps: \(text)"
        )
        #expect(
            cost.runs <= base.runs * 3 / 2 + 16,
            "\(question.testDescription): \(base.runs) → \(cost.runs) times: \(text)"
        )
    }

    /// Expects that every text that the rules of stores run is one that a question runs.
    private func expectAsked(_ asked: Set<String>) async throws {
        var run: Set<String> = []
        for rule in StoreRule.all { try await run.formUnion(texts { try await rule.check($0) }) }
        for rule in ImageRule.all { try await run.formUnion(texts { try await rule.check($0) }) }
        for rule in KeyRule.all { try await run.formUnion(texts { try await rule.check($0) }) }
        for rule in ObjectRule.all { try await run.formUnion(texts { try await rule.check($0) }) }
        let missing = run.filter { text in
            !asked.contains(text) && !Self.unasked.contains { text.contains($0.text) }
        }
        for text in missing.sorted() { Issue.record("No question runs this: \(text)") }
    }

    /// The texts that `body` runs on an empty store.
    private func texts(_ body: (SQLiteStore) async throws -> Void) async throws -> Set<String> {
        let folder = TemporaryFolder()
        let store = try store(in: folder)
        _ = meter.take()
        try await body(store)
        let texts = Set(meter.take().keys)
        try store.close()
        return texts
    }

    private func store(in folder: TemporaryFolder) throws -> SQLiteStore {
        try SQLiteStore(folder: folder.path, observe: { [meter] in meter.follow($0) })
    }
}
