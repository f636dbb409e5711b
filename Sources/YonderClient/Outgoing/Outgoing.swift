import YonderModel
import YonderWire

/// Names something sent: a key is unique per chat, and a chat that isn't there yet has none.
struct OutgoingKey: Hashable, Sendable {
    let key: String
    let chat: ChatID?
}

/// What has to be sent until it is answered, in order; at most ``window`` of it at a time.
///
/// Says which frames to write. What was in flight when a connection broke is sent again, first and under the same key.
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
        /// It goes out again after this time.
        case later(Duration)
        /// Nothing of ours.
        case unknown
    }

    static let window = 32

    private var inFlight: [Item] = []
    private var waiting: [Item] = []
    private var firstWaiting = 0
    private var known: Set<OutgoingKey> = []
    private var isConnected = false
    private var isPaused = false

    /// How many are not answered yet.
    var count: Int { known.count }

    /// Takes something to send, once.
    ///
    /// - Returns: The frames to write now.
    mutating func add(_ item: Item) -> [ClientFrame] {
        guard known.insert(item.id).inserted else { return [] }
        waiting.append(item)
        return pump()
    }

    /// A connection is there.
    ///
    /// - Returns: The frames to write now.
    mutating func connected() -> [ClientFrame] {
        isConnected = true
        isPaused = false
        return pump()
    }

    /// The connection is gone.
    mutating func disconnected() {
        isConnected = false
        waiting.replaceSubrange(..<firstWaiting, with: inFlight)
        firstWaiting = 0
        inFlight = []
    }

    /// Something was answered.
    ///
    /// - Returns: What it was, if it is ours, and the frames to write now.
    mutating func answered(_ id: OutgoingKey) -> (Item?, [ClientFrame]) {
        guard let index = inFlight.firstIndex(where: { $0.id == id }) else { return (nil, []) }
        let item = inFlight.remove(at: index)
        known.remove(id)
        return (item, pump())
    }

    /// Something was refused.
    ///
    /// - Returns: What to do, and the frames to write now.
    mutating func refused(_ id: OutgoingKey, _ error: SharingError) -> (Refusal, [ClientFrame]) {
        guard let index = inFlight.firstIndex(where: { $0.id == id }) else { return (.unknown, []) }
        let item = inFlight.remove(at: index)
        guard let wait = error.retryDelay else {
            known.remove(id)
            return (.failed(item), pump())
        }
        isPaused = true
        putBack(item)
        return (.later(wait), [])
    }

    /// The time that a refusal asked for is over.
    ///
    /// - Returns: The frames to write now.
    mutating func resume() -> [ClientFrame] {
        isPaused = false
        return pump()
    }

    /// Behind what was put back before it, so that several refused ones keep their order.
    private mutating func putBack(_ item: Item) {
        waiting.replaceSubrange(..<firstWaiting, with: [])
        firstWaiting = 0
        waiting.insert(item, at: putBackCount)
        putBackCount += 1
    }

    private var putBackCount = 0

    private mutating func pump() -> [ClientFrame] {
        guard isConnected, !isPaused else { return [] }
        putBackCount = 0
        var frames: [ClientFrame] = []
        while inFlight.count < Self.window, firstWaiting < waiting.count {
            inFlight.append(waiting[firstWaiting])
            frames.append(waiting[firstWaiting].frame)
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
