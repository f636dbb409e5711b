import Dispatch
import TestSupport
import Testing
import YonderModel

@testable import YonderSQLite

struct DatabasePoolTests {
    private let folder = TemporaryFolder()

    private func pool(_ count: Int = 2) throws -> DatabasePool {
        let path = try "\(folder.made())/any.db"
        let pool = try DatabasePool(path: path, settings: DatabaseSettings(), readerCount: count)
        try pool.writeWithoutTransaction {
            try $0.execute(sql: "CREATE TABLE IF NOT EXISTS item (id INTEGER PRIMARY KEY)")
        }
        return pool
    }

    private static func count(_ database: Database) throws -> Int? {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM item")
    }

    @Test func `a read sees what was committed before it, and nothing that comes later`() async throws {
        let pool = try pool()
        let (isOpen, mayEnd) = (Recorder<Int?>(), DispatchSemaphore(value: 0))
        async let both = pool.read { database in
            let before = try Self.count(database)
            isOpen.record(before)
            mayEnd.wait()
            return (before, try Self.count(database))
        }
        await isOpen.wait(for: 1)
        try await pool.writeWithoutTransaction { try $0.execute(sql: "INSERT INTO item VALUES (1)") }
        #expect(try await pool.read(Self.count) == 1)
        mayEnd.signal()
        let (before, after) = try await both
        #expect(before == 0 && after == 0)
        try pool.close()
    }

    @Test func `a reader can't write`() async throws {
        let pool = try pool()
        let error = await #expect(throws: DatabaseError.self) {
            try await pool.read { try $0.execute(sql: "INSERT INTO item VALUES (1)") }
        }
        #expect(error?.resultCode == .readOnly)
        try pool.close()
    }

    @Test func `no more reads run at once than there are readers, and each is answered`() async throws {
        let pool = try pool(2)
        let (started, mayEnd) = (Recorder<Int>(), DispatchSemaphore(value: 0))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try await pool.read { _ in
                        started.record(number)
                        mayEnd.wait()
                        return number
                    }
                }
            }
            await started.wait(for: 2)
            #expect(started.values.count == 2)
            for _ in 0..<20 { mayEnd.signal() }
            let answered = try await group.reduce(into: Set()) { $0.insert($1) }
            #expect(answered == Set(0..<20))
        }
        try pool.close()
    }

    @Test func `a read is refused while too many wait, and served again when they don't`() async throws {
        let pool = try pool(1)
        try await pool.read { _ in }
        let readers = ReaderPool(path: "\(folder.path)/any.db", settings: DatabaseSettings(), limit: 1)
        let (mayEnd, answers) = (DispatchSemaphore(value: 0), Recorder<SharingError.Code?>())
        readers.lend { _ in mayEnd.wait() }
        for _ in 0...ReaderPool.waitingLimit {
            readers.lend { database in
                if case .failure(let error) = database { answers.record((error as? SharingError)?.code) }
            }
        }
        #expect(answers.values == [.unavailable])
        mayEnd.signal()
        try readers.close()
        #expect(answers.values == [.unavailable])
        try pool.close()
    }

    @Test func `closing waits for the reads that wait, and refuses later ones`() async throws {
        let pool = try pool(1)
        let (started, mayEnd, closed) = (Recorder<Int>(), DispatchSemaphore(value: 0), Recorder<Bool>())
        async let first = pool.read { _ in
            started.record(1)
            mayEnd.wait()
        }
        await started.wait(for: 1)
        async let second = pool.read { _ in started.record(2) }
        DispatchQueue.global().async { closed.record((try? pool.close()) != nil) }
        mayEnd.signal()
        try await first
        // It came before the end, or after it.
        do { try await second } catch let error as DatabaseError { #expect(error.resultCode == .misuse) }
        await closed.wait(for: 1)
        #expect(closed.values == [true])
        let error = await #expect(throws: DatabaseError.self) { try await pool.read { _ in } }
        #expect(error?.resultCode == .misuse)
    }

    @Test
    func `a reader that can't be opened is an error for those that wait, and the next read tries again`()
        async throws
    {
        let path = try "\(folder.made())/any.db"
        let made = try DatabaseQueue(path: path)
        try await made.write { try $0.execute(sql: "CREATE TABLE item (id)") }
        let (openings, mayFail) = (Recorder<Int>(), DispatchSemaphore(value: 0))
        var settings = DatabaseSettings()
        settings.prepare { _ in
            openings.record(1)
            guard openings.values.count == 1 else { return }
            mayFail.wait()
            throw DatabaseError(resultCode: .cannotOpen)
        }
        let readers = ReaderPool(path: path, settings: settings, limit: 1)
        let answers = Recorder<Bool>()
        for _ in 0..<2 { readers.lend { answers.record((try? $0.get()) != nil) } }
        mayFail.signal()
        await answers.wait(for: 2)
        readers.lend { answers.record((try? $0.get()) != nil) }
        await answers.wait(for: 3)
        #expect(answers.values == [false, false, true])
        try readers.close()
    }
}
