import Observation
import YonderClient
import YonderGeodesy
import YonderModel
import YonderRequests
import YonderWire

/// All positions of a chat on its map: *View all locations*.
///
/// `ChatMapModel` makes one when its person first views all locations, runs it while the screen is shown, and draws
/// ``picture``. The positions are read and kept by `ChatPositions`, a stretch of 200 000 at a time; drawing is decided in
/// `PositionPicture`. A text says why there are none before. How often it draws may be changed here.
///
/// The numbers in the texts are those of positions that can be read; words are in `Word`. What must stay is that erased
/// positions leave the map at once (decision 15): `PositionPictureTests` and `ChatMapModelTests` hold drawing and screen.
///
/// A refusal of the chat ends ``run(_:_:)``, which throws it to `ChatMapModel`; nothing else throws.
@MainActor @Observable
final class AllPositions {
    private enum Chore: Hashable, Sendable {
        case earlier
        case newest
        case expire(UserID)
    }

    /// What is held, as it was at the last drawing.
    private struct Held {
        let count: Int
        let reach: PositionReach
        let isNewest: Bool
        let hasEarlier: Bool
    }

    /// From so many positions on, drawings are a quarter of a second apart.
    private static let many = 10_000

    /// What the map draws.
    private(set) var picture = PositionPicture()

    /// The chat with its people's names, which the model keeps current.
    @ObservationIgnored var chat: NamedChat { didSet { if chat != oldValue { draw() } } }

    private var held: Held?
    @ObservationIgnored private var view: Region?
    @ObservationIgnored private var selection: String?
    private let positions: ChatPositions
    private let context: AppContext
    private let chores = Chores<Chore>()
    private let (drawings, drawing) = AsyncStream.makeStream(
        of: Void.self,
        bufferingPolicy: .bufferingNewest(1)
    )

    init(of chat: NamedChat, for person: SignedInUser, _ context: AppContext) {
        (self.chat, self.context) = (chat, context)
        positions = ChatPositions(of: chat.chat, requests: person.requests)
    }

    /// Whether there are earlier positions than those on the map.
    var hasEarlier: Bool { held?.hasEarlier ?? false }

    /// Whether the newest positions are on the map.
    var isNewest: Bool { held?.isNewest ?? true }

    /// How many positions there are and since when, and why there are none before.
    func text(at now: Timestamp) -> String {
        guard let held else { return context.say(.positionsComing) }
        guard let since = held.reach.since, let until = held.reach.until else {
            return context.say(held.reach.reason == .loading ? .positionsComing : .chatViewsAll)
        }
        var values = ["since": context.sinceText(since, at: now), "until": context.sinceText(until, at: now)]
        let word: Word
        switch held.reach.reason {
        case .loading: return context.say(.positionsLoading, values, count: held.count)
        case .full where !held.isNewest: return context.say(.positionsBetween, values, count: held.count)
        case _ where !held.isNewest: return context.say(.positionsBetweenFirst, values, count: held.count)
        case .full: word = .positionsFull
        case .joined: word = .positionsJoined
        case .whole: word = .positionsWhole
        case .kept(let keeping):
            word = .positionsKept
            values["keeping"] = context.text(of: keeping)
        }
        return "\(context.say(word, values, count: held.count)) \(context.say(.positionsOff))"
    }

    /// Shows the stretch before, in place of the positions on the map.
    func earlier() { chores.add(.earlier) }

    /// Shows the newest positions again.
    func newest() { chores.add(.newest) }

    /// Erases a person's positions and reads again those that are kept: an expiring share is over by the clock.
    func shareEnded(of person: UserID) { chores.add(.expire(person)) }

    /// Draws the positions that are in a region, with a stop for the selected one.
    func look(at view: Region?, selection: String?) {
        guard view != self.view || selection != self.selection else { return }
        (self.view, self.selection) = (view, selection)
        draw()
    }

    private func draw() { drawing.yield() }

    // MARK: - Running

    /// Reads the positions, and draws them after each change, until the task is canceled; call this once.
    func run(_ client: SharingClient, _ changed: @escaping @MainActor () -> Void) async throws(SharingError) {
        let result = await withTaskGroup(of: Result<Void, SharingError>?.self) { group in
            group.addTask { await self.follow(client) }
            group.addTask {
                for await _ in self.positions.revisions { await self.draw() }
                return nil
            }
            group.addTask {
                await self.chores.run { await self.perform($0) }
                return nil
            }
            group.addTask {
                await self.drawEachChange(changed)
                return nil
            }
            let result = await group.next() ?? nil
            group.cancelAll()
            return result
        }
        try result?.get()
    }

    private func follow(_ client: SharingClient) async -> Result<Void, SharingError>? {
        do throws(SharingError) {
            try await positions.follow(client)
            return nil
        } catch {
            return .failure(error)
        }
    }

    private func perform(_ chore: Chore) async {
        switch chore {
        case .earlier: await positions.earlier()
        case .newest: await positions.newest()
        case .expire(let person): await positions.shareEnded(of: person)
        }
    }

    private func drawEachChange(_ changed: @MainActor () -> Void) async {
        for await _ in drawings {
            await positions.update(chat.chat)
            let held = Held(
                count: await positions.count,
                reach: await positions.reach,
                isNewest: await positions.isNewest,
                hasEarlier: await positions.hasEarlier
            )
            picture = await Self.picture(of: positions.positions, in: chat, view: view, keeping: selection)
            self.held = held
            changed()
            if held.count > Self.many { try? await context.clock.sleep(for: .milliseconds(250)) }
        }
    }

    /// Draws beside the main actor, as it takes up to a tenth of a second for 200 000 positions.
    @concurrent private nonisolated static func picture(
        of positions: [HeldPosition],
        in chat: NamedChat,
        view: Region?,
        keeping selection: String?
    ) async -> PositionPicture {
        PositionPicture(of: positions, in: chat, view: view, keeping: selection)
    }
}

extension AppContext {
    /// How long a chat keeps positions, in words: *for 30 days*.
    fileprivate func text(of keeping: PositionKeeping) -> String {
        switch keeping {
        case .day: say(.chatsKeepDay)
        case .month: say(.chatsKeepMonth)
        case .year: say(.chatsKeepYear)
        case .forever: say(.chatsKeepForever)
        }
    }
}
