import Testing
import YonderModel
import YonderRules

@testable import YonderHub

@Suite struct SubmissionBatchesTests {
    private func submission(_ key: String) throws -> Submission {
        Submission(
            chat: try #require(ChatID(1)),
            sender: try #require(UserID(1)),
            key: key,
            action: .leave,
            time: .now
        )
    }

    @Test
    func `the first submission of a turn has its batch taken, and the batch has all of the turn in order`()
        throws
    {
        var batches = SubmissionBatches<String>()
        let first = try ["a", "b", "c"].map { batches.append(try submission($0), from: $0) }
        #expect(first == [true, false, false])
        let taken = [batches.take(), batches.take()]
        let batch = try #require(taken[0])
        #expect(batch.submissions.map(\.key) == ["a", "b", "c"])
        #expect(taken[1] == nil, "nothing was gathered since")
        let next = batches.append(try submission("d"), from: "d")
        #expect(next)
    }

    @Test func `an answered batch gives its origins once, whatever other batches are under way`() throws {
        var batches = SubmissionBatches<String>()
        _ = batches.append(try submission("a"), from: "a")
        let one = batches.take()?.batch ?? -1
        for key in ["b", "c"] { _ = batches.append(try submission(key), from: key) }
        let two = batches.take()?.batch ?? -1
        let answers = [one, one, two].map { batches.takeOrigins(of: $0) }
        #expect(answers == [["a"], [], ["b", "c"]])
    }
}
