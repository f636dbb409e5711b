import YonderModel
import YonderWire

/// Names something sent: a key is unique per chat, and a chat that isn't there yet has none.
struct OutgoingKey: Hashable, Sendable {
    let key: String
    let chat: ChatID?
}

/// What has to be sent until it is answered, in order; at most ``window`` of it at a time.
///
/// Says which frames to write. What was in flight when a connection broke is sent again, first and under the same key. What
/// the server refused because it was too much is sent again after the time that the refusal names, in its old order: nothing
/// is written before that time is over and everything in flight is answered.
struct Outgoing: Sendable {
    struct Item: Hashable, Sendable {
        let id: OutgoingKey
        let frame: ClientFrame

        /// Whether the outbox keeps it.
        let isKept: Bool
    }

    enum Refusal: Hashable, Sendable {
        /// It was refused for good.
        case failed(Item)
        /// It goes out again, as ``Outgoing/resume(_:)`` says, once that pause of this length is over.
        case later(Pause, Duration)
        /// Nothing of ours.
        case unknown
    }

    /// A time in which nothing is written; a later one takes the place of an earlier one.
    struct Pause: Hashable, Sendable {
        fileprivate let number: Int
    }

    /// An item, and where it stands among all that were added.
    private struct Numbered {
        let number: Int
        let item: Item
    }

    static let window = 32

    private var inFlight: [Numbered] = []
    private var waiting: [Numbered] = []
    private var firstWaiting = 0
    private var nextNumber = 0
    private var known: Set<OutgoingKey> = []
    private var isConnected = false
    private var pause: Pause?
    private var pauses = 0

    /// Whether some in flight were refused and wait for the answers to the others.
    private var isGathering = false

    /// How many are not answered yet.
    var count: Int { known.count }

    /// Takes something to send, once.
    ///
    /// - Returns: The frames to write now.
    mutating func add(_ item: Item) -> [ClientFrame] {
        guard known.insert(item.id).inserted else { return [] }
        waiting.append(Numbered(number: nextNumber, item: item))
        nextNumber += 1
        return pump()
    }

    /// A connection is there.
    ///
    /// - Returns: The frames to write now.
    mutating func connected() -> [ClientFrame] {
        isConnected = true
        pause = nil
        isGathering = false
        return pump()
    }

    /// The connection is gone.
    mutating func disconnected() {
        isConnected = false
        waiting.replaceSubrange(..<firstWaiting, with: inFlight)
        // What was refused stands among what was in flight.
        waiting.sort { $0.number < $1.number }
        firstWaiting = 0
        inFlight = []
    }

    /// Something was answered.
    ///
    /// - Returns: What it was, if it is ours, and the frames to write now.
    mutating func answered(_ id: OutgoingKey) -> (Item?, [ClientFrame]) {
        guard let index = inFlight.firstIndex(where: { $0.item.id == id }) else { return (nil, []) }
        let item = inFlight.remove(at: index).item
        known.remove(id)
        return (item, pump())
    }

    /// Something was refused.
    ///
    /// - Returns: What to do, and the frames to write now.
    mutating func refused(_ id: OutgoingKey, _ error: SharingError) -> (Refusal, [ClientFrame]) {
        guard let index = inFlight.firstIndex(where: { $0.item.id == id }) else { return (.unknown, []) }
        let refused = inFlight.remove(at: index)
        guard let wait = error.retryDelay else {
            known.remove(id)
            return (.failed(refused.item), pump())
        }
        putBack(refused)
        pauses += 1
        let pause = Pause(number: pauses)
        self.pause = pause
        isGathering = true
        return (.later(pause, wait), [])
    }

    /// A pause is over.
    ///
    /// - Returns: The frames to write now: none if another began meanwhile.
    mutating func resume(_ pause: Pause) -> [ClientFrame] {
        guard pause == self.pause else { return [] }
        self.pause = nil
        return pump()
    }

    /// Where it stood before: in front of everything that was added later.
    private mutating func putBack(_ refused: Numbered) {
        waiting.removeFirst(firstWaiting)
        firstWaiting = 0
        let place = waiting.firstIndex { $0.number > refused.number } ?? waiting.endIndex
        waiting.insert(refused, at: place)
    }

    private mutating func pump() -> [ClientFrame] {
        guard isConnected, pause == nil, !isGathering || inFlight.isEmpty else { return [] }
        isGathering = false
        var frames: [ClientFrame] = []
        while inFlight.count < Self.window, firstWaiting < waiting.count {
            inFlight.append(waiting[firstWaiting])
            frames.append(waiting[firstWaiting].item.frame)
            firstWaiting += 1
        }
        if firstWaiting > 64, firstWaiting * 2 > waiting.count {
            waiting.removeFirst(firstWaiting)
            firstWaiting = 0
        }
        return frames
    }
}

extension SharingError {
    /// How long to wait before the same is tried again, or `nil` if that can't help.
    var retryDelay: Duration? {
        switch code {
        case .tooManyRequests, .unavailable: retryAfter ?? .seconds(1)
        default: nil
        }
    }
}
