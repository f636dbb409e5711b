#if Postgres
import YonderLibPQ
import YonderGeodesy
import YonderModel
import YonderRules

// Read positions.
// `ChatWriter` calls it with the marks of a commit, and answers each request. A failure of the link is one refusal for
// all. A repeat of a mark moves nothing, so the call may run twice. Positions and counts are decided in the function
// `mark_v1` of the database (decision 20, `StoreRule+Reads.swift`).
extension ChatWriter {
    /// Writes the marks of requests, in one call.
    func read(_ requests: [WriteRequest]) async {
        var marks: [ReadMark] = []
        var completions: [([Result<ReadMark.Outcome, SharingError>]) -> Void] = []
        for request in requests {
            guard case .marks(let more, let completion) = request.work else { continue }
            let range = marks.count..<marks.count + more.count
            marks += more
            completions.append { completion(Array($0[range])) }
        }
        guard !marks.isEmpty else { return }
        let results = await read(marks)
        let moves = zip(marks, results).compactMap { mark, result in
            (try? result.get()).flatMap { $0.hasMoved ? ReadMove(mark: mark, outcome: $0) : nil }
        }
        outlet.send(StoreCommit(reads: moves))
        for completion in completions { completion(results) }
    }

    private func read(_ marks: [ReadMark]) async -> [Result<ReadMark.Outcome, SharingError>] {
        var isRepeat = false
        var lockTimeouts = 0
        while true {
            do throws(LinkFailure) {
                return try await ReadingTable.read(marks, isRepeat: isRepeat, on: link)
            } catch {
                isRepeat = isRepeat || error.outcome == .unknown
                if error.isLockTimeout { lockTimeouts += 1 }
                if error.outcome == .unknown || error.isTransient && (lockTimeouts < 2 || isRepeat) {
                    continue
                }
                if isRepeat, waitsForConnection, error.outcome == .unsent { continue }
                let refusal = refusal(of: error)
                return marks.map { _ in .failure(refusal) }
            }
        }
    }
}
#endif
