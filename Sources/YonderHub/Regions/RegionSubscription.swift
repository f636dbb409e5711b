import YonderGeodesy
import YonderModel
import YonderWire

/// One session's live region.
///
/// What it is told depends on what it was told: so each has a topic of its own.
final class RegionSubscription {
    /// What is watched for.
    enum Subject {
        /// Objects of an entity.
        case objects(EntityName)
        /// People with whom this user shares a chat.
        case people(UserID)
    }

    /// A move that the client asked for.
    struct Move {
        let step: Int64
        let region: Region
    }

    let id: Int64
    let session: Session
    let topic: Int64
    let subject: Subject
    let limit: Int

    /// Where it began.
    let region: Region

    /// Whether a thing may be seen, or `nil` if all may.
    let isVisible: LiveRegion.Visibility?

    /// The field that objects are found by: the one that was asked for, and once it is let in, the one there is.
    var field: FieldName?

    /// Who asks, once that is known.
    var caller = ObjectCaller.anyone

    /// Where it is told of, once it may be.
    var room: RegionRoom?

    /// Its name on the room's board, once it has begun.
    var watcher: RegionBoard.Watcher?

    /// The newest move, until it is made.
    private(set) var move: Move?

    /// The last step that was asked for.
    private var step: Int64 = 0

    /// What is being answered, until all of that is told.
    var answer: RegionFrame.Answer?

    /// Whether the room will look at it at the round's end.
    var isDue = false

    /// Whether it waits until its session may move a region again.
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

    /// Takes in where the client wants it; an older wish that wasn't met is forgotten.
    ///
    /// - Throws: ``SharingError`` with code `invalidField` if the step isn't a later one.
    func wish(_ move: Move) throws(SharingError) {
        guard move.step > step else {
            throw SharingError(.invalidField, "step is more than \(step), the last one.")
        }
        step = move.step
        self.move = move
        room?.touch(self)
    }

    /// Hands out the move that is to be made now.
    func takeMove() -> Move? {
        guard let move, session.mayMoveRegion(for: self) else { return nil }
        self.move = nil
        return move
    }
}
