import Dispatch
import TestSupport
import Testing
import YonderSQLite

struct LongReadTests {
    private let folder = TemporaryFolder()

    @Test func `no read waits for those that may take long, however many there are`() async throws {
        let file = try SQLiteFile(folder: folder.path, name: "any.db", migrations: [])
        let (gate, started) = (DispatchSemaphore(value: 0), Recorder<Int>())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<9 {
                group.addTask {
                    try await file.read(isLong: true) { _ in
                        started.record(number)
                        gate.wait()
                    }
                }
            }
            await started.wait(for: 3)
            let answer = try await file.read { try Int.fetchOne($0, sql: "SELECT 7") }
            #expect(answer == 7 && started.values.count == 3)
            for _ in 0..<9 { gate.signal() }
            try await group.waitForAll()
        }
        #expect(started.values.count == 9)
        try file.close()
    }
}
