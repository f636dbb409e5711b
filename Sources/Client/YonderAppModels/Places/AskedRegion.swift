import YonderClient
import YonderGeodesy
import YonderModel

/// One live region that answers a browser's questions: each question moves it.
///
/// `PlacesModel` has one for each kind of places: its `RegionBrowser` asks, the model runs ``run(_:)``. A question that a
/// newer one overtakes throws ``overtaken``, which `PlacesModel` doesn't show as a problem; one that the server refuses
/// throws its error. Without ``run(_:)`` a question waits. That one live region is moved, and no further one opened, must
/// stay: a client may have 256 subscriptions (`PlacesModelTests`).
@MainActor
final class AskedRegion<Item: Locatable> {
    typealias Answer = Result<RegionAnswer<Item>, SharingError>

    /// Begins to watch a region.
    typealias Open = @Sendable (_ region: Region) async -> RegionUpdates<Item>

    private struct Question {
        let region: Region
        let answer: AsyncStream<Answer>.Continuation
    }

    /// What the live region has, and the held item.
    private(set) var contents = RegionContents<Item>()

    private let open: Open
    private var question: Question?
    private var regions: AsyncStream<Region>.Continuation?

    init(_ open: @escaping Open) {
        self.open = open
    }

    /// The error of a question that a newer one has taken the place of; it is no failure.
    static var overtaken: SharingError {
        SharingError(.unavailable, "Another region was asked for before the answer came.")
    }

    /// Moves the region, and waits for its contents; without a connection, until there is one.
    func ask(_ region: Region) async throws(SharingError) -> RegionAnswer<Item> {
        let (answers, answer) = AsyncStream.makeStream(of: Answer.self)
        question?.answer.yield(.failure(Self.overtaken))
        question = Question(region: region, answer: answer)
        if contents.isCurrent, contents.region == region { answerIfCurrent() } else { regions?.yield(region) }
        for await answer in answers { return try answer.get() }
        throw Self.overtaken
    }

    /// Holds one of the items, so that it stays when the region moves away.
    func hold(_ id: Item.ID?) {
        contents.hold(id)
    }

    /// Watches what is asked for until the task is canceled, and calls `changed` after each change.
    func run(_ changed: @escaping @MainActor (SharingError?) -> Void) async {
        let (regions, continuation) = AsyncStream.makeStream(
            of: Region.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        self.regions = continuation
        if let question { continuation.yield(question.region) }
        await withDiscardingTaskGroup { group in
            var live: RegionUpdates<Item>?
            for await region in regions {
                if let live {
                    await live.move(to: region)
                } else {
                    let opened = await open(region)
                    live = opened
                    group.addTask { await self.read(opened, changed) }
                }
            }
            group.cancelAll()
        }
        self.regions = nil
    }

    private func read(
        _ live: RegionUpdates<Item>,
        _ changed: @MainActor (SharingError?) -> Void
    ) async {
        do throws(SharingError) {
            var updates = live.makeAsyncIterator()
            while let update = try await updates.next() {
                contents.apply(update)
                answerIfCurrent()
                changed(nil)
            }
        } catch {
            question?.answer.yield(.failure(error))
            question = nil
            changed(error)
        }
    }

    private func answerIfCurrent() {
        guard let question, contents.isCurrent, contents.region == question.region else { return }
        self.question = nil
        question.answer.yield(.success(RegionAnswer(contents)))
    }
}
