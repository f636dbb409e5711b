import YonderGeodesy
import YonderModel
import YonderRules
import YonderWire

/// One session's live region.
///
/// Its frames depend on the frames already sent, so each subscription has a topic of its own.
///
/// `Session+Regions.swift` makes one when a client subscribes; `LiveRegions` admits it, and `RegionRoom` reads and sets
/// its state at the end of rounds, all on one event loop. A move while another waits takes its place. That steps grow
/// must stay: the client knows by the step which move a frame answers (`Documentation/stream.md`; decision 9).
final class RegionSubscription {
    /// The kind of item that is watched.
    enum Subject {
        /// The objects of an entity.
        case objects(EntityName)
        /// The people with whom this user shares a chat.
        case people(UserID)
    }

    /// A move that the client requested.
    struct Move {
        let step: Int64
        let region: Region
    }

    let id: Int64
    let session: Session
    let topic: Int64
    let subject: Subject
    let limit: Int

    /// The region with which the subscription began.
    let region: Region

    /// Returns whether the viewer may see an item, or `nil` if every item is visible.
    let isVisible: LiveRegion.Visibility?

    /// The field that holds an object's location: as requested, and once access is granted, as it was found.
    var field: FieldName?

    /// The identity and rights of the caller, once they are known.
    var caller = ObjectCaller.anyone

    /// The room that sends this region's changes, once access is granted.
    var room: RegionRoom?

    /// The region's name on the room's board, once it has begun.
    var watcher: RegionBoard.Watcher?

    /// The newest move requested and not yet made.
    private(set) var move: Move?

    /// The step of the last move requested.
    private var step: Int64 = 0

    /// The answer that is being sent, until its last page is sent.
    var answer: RegionFrame.Answer?

    /// Whether the room will examine it at the end of the round.
    var isDue = false

    /// Whether it waits until the session's rate limit allows another move.
    var isWaiting = false

    init(
        id: Int64,
        session: Session,
        topic: Int64,
        subject: Subject,
        region: Region,
        limit: Int,
        field: FieldName? = nil,
        isVisible: LiveRegion.Visibility? = nil
    ) {
        self.id = id
        self.session = session
        self.topic = topic
        self.subject = subject
        self.region = region
        self.limit = limit
        self.field = field
        self.isVisible = isVisible
    }

    /// Requests a move.
    ///
    /// An earlier request that hasn't been met is dropped.
    ///
    /// - Throws: ``SharingError`` with code `invalidField` if the step isn't greater than the last one.
    func wish(_ move: Move) throws(SharingError) {
        guard move.step > step else {
            throw SharingError(.invalidField, "step must be greater than \(step), the last one.")
        }
        step = move.step
        self.move = move
        room?.touch(self)
    }

    /// Returns the requested move and clears it; `nil` if there is none, or if the session's rate limit
    /// forbids it now.
    func takeMove() -> Move? {
        guard let move, session.mayMoveRegion(for: self) else { return nil }
        self.move = nil
        return move
    }
}
