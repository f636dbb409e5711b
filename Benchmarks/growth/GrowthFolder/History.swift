import YonderGeodesy
import YonderModel
import YonderRules
import YonderStorage

/// The messages of a family's chat over years: positions of five people, and a text after every hundredth position.
///
/// Five people drive for twenty minutes at a time and report every five seconds, one of them until sixty days before the end or the
/// middle; the sixth never does. A million positions are a year, so that ten million are ten. One message in a hundred is a text, and
/// none is a `Place`.
struct History {
    /// The positions of one drive.
    private static let drive = 240

    /// The messages of one commit.
    private static let batch = 2_000

    private let people: [UserID]
    private let chat: ChatID
    private let positions: Int
    private let end: Timestamp

    init(of people: [UserID], in chat: ChatID, positions: Int, end: Timestamp) {
        (self.people, self.chat, self.positions, self.end) = (people, chat, positions, end)
    }

    /// How long all of it takes: a year for a million positions.
    private var length: Duration { .milliseconds(Int64(positions) * 365 * 86_400_000 / 1_000_000) }

    /// When the fifth person stops.
    private var stop: Timestamp { end - min(.seconds(60 * 86_400), length / 2) }

    func write(to store: SQLiteStore) async throws {
        let begin = end - length
        try await submit([submission(-1, people[0], .keepPositions(.forever), at: begin)], to: store)
        var batch: [Submission] = []
        for drive in 0..<max(1, positions / Self.drive) {
            let start = begin + length * drive / max(1, positions / Self.drive)
            batch += messages(of: drive, from: start)
            guard batch.count >= Self.batch else { continue }
            try await submit(batch, to: store)
            batch = []
        }
        try await submit(batch, to: store)
    }

    /// One drive's positions, and its texts.
    private func messages(of drive: Int, from start: Timestamp) -> [Submission] {
        let count = min(Self.drive, positions - drive * Self.drive)
        let sharing = start < stop ? 5 : 4
        let sender = people[drive % sharing]
        return (0..<count).flatMap { place in
            let number = drive * Self.drive + place
            let time = start + .seconds(Int64(place) * 5)
            let position = submission(number * 2, sender, position(number, at: time), at: time)
            guard number % 100 == 99 else { return [position] }
            let text = MessageDraft(tag: .text, content: "On my way, see you in ten minutes.")
            return [position, submission(number * 2 + 1, sender, .message(text), at: time)]
        }
    }

    /// A position as the page sends it, some 190 bytes, on a way that doesn't repeat itself.
    private func position(_ number: Int, at time: Timestamp) -> Submission.Action {
        let (east, north) = (number % 7_919, number % 6_007)
        let text = """
            {"latitude":47.\(100_000 + north * 31),"longitude":9.\(500_000 + east * 29),"accuracy":\(5 + number % 20),\
            "altitude":\(450 + number % 300).5,"speed":\(number % 30).25,"heading":\(number % 360),"timestamp":\(time.milliseconds)}
            """
        return .message(MessageDraft(tag: .location, data: MessageData(checked: Array(text.utf8))))
    }

    private func submission(_ number: Int, _ sender: UserID, _ action: Submission.Action, at time: Timestamp)
        -> Submission
    {
        Submission(chat: chat, sender: sender, key: "growth \(number)", action: action, time: time)
    }

    private func submit(_ submissions: [Submission], to store: SQLiteStore) async throws {
        let results = await withCheckedContinuation { continuation in
            store.submit(submissions) { continuation.resume(returning: $0) }
        }
        for result in results { _ = try result.get() }
    }
}
