import YonderModel
import YonderWire

/// The identity of a request: a key unique per chat.
///
/// A request to start a chat has no chat.
///
/// `Requests` has one and passes it each request, answer and refusal; nothing else uses it. It can't fail: an unknown key
/// changes nothing. The order of requests, and that one keeps its key on every connection, must stay, as the server
/// recognizes a repetition by the key (decision 2, `OutgoingTests`, `RequestsTests`). ``window`` may change up to what the
/// server has read at once; the second without a time in an error may, too.
struct OutgoingKey: Hashable, Sendable {
    let key: String
    let chat: ChatID?

    init(key: String, chat: ChatID?) {
        (self.key, self.chat) = (key, chat)
    }

    init(_ entry: OutboxEntry) {
        self.init(key: entry.key, chat: entry.chat)
    }

    /// A key of 64 random bits: no two of one sender's in a chat will ever be the same.
    static func random(in chat: ChatID?) -> OutgoingKey {
        OutgoingKey(key: String(UInt64.random(in: .min ... .max), radix: 16), chat: chat)
    }
}

/// The queue of requests until each is answered, in order, with at most ``window`` in flight.
///
/// The methods return the frames to write. When a connection breaks, the requests in flight are sent again,
/// first and under the same keys. A request refused because of a rate limit or an overload is sent again
/// after the time that the error gives, in its old order: until that time is over and every request in flight
/// is answered, nothing is written.
struct Outgoing: Sendable {
    struct Item: Hashable, Sendable {
        let id: OutgoingKey
        let frame: ClientFrame

        /// Whether the outbox stores the request.
        let isKept: Bool
    }

    enum Refusal: Hashable, Sendable {
        /// The request was refused for good.
        case failed(Item)
        /// The request is sent again by ``Outgoing/resume(_:)``, after a pause of this length.
        case later(Pause, Duration)
        /// The key isn't that of a request in flight.
        case unknown
    }

    /// A time during which nothing is written; a later pause replaces an earlier one.
    struct Pause: Hashable, Sendable {
        fileprivate let number: Int
    }

    /// A request with its number in the order of all requests added.
    private struct Numbered {
        let number: Int
        let item: Item
        var wasWritten = false
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

    /// Whether a request was refused and the others in flight must be answered first.
    private var isGathering = false

    /// The number of unanswered requests.
    var count: Int { known.count }

    /// Adds a request, unless its key is known already.
    ///
    /// - Returns: The frames to write now.
    mutating func add(_ item: Item) -> [ClientFrame] {
        guard known.insert(item.id).inserted else { return [] }
        waiting.append(Numbered(number: nextNumber, item: item))
        nextNumber += 1
        return pump()
    }

    /// Call this when the connection is open.
    ///
    /// - Returns: The frames to write now.
    mutating func connected() -> [ClientFrame] {
        isConnected = true
        pause = nil
        isGathering = false
        return pump()
    }

    /// Call this when the connection ended.
    mutating func disconnected() {
        isConnected = false
        waiting.replaceSubrange(..<firstWaiting, with: inFlight)
        // Refused requests are in the queue, and their numbers may lie between those that were in flight.
        waiting.sort { $0.number < $1.number }
        firstWaiting = 0
        inFlight = []
    }

    /// Takes back a request that was never written.
    ///
    /// - Returns: `false` if it was written on some connection, or isn't known.
    mutating func withdraw(_ id: OutgoingKey) -> Bool {
        let place = waiting[firstWaiting...].firstIndex { $0.item.id == id }
        guard let place, !waiting[place].wasWritten else { return false }
        waiting.remove(at: place)
        known.remove(id)
        return true
    }

    /// Call this when a request was answered.
    ///
    /// - Returns: The request, or `nil` if the key isn't known, and the frames to write now.
    mutating func answered(_ id: OutgoingKey) -> (Item?, [ClientFrame]) {
        guard let index = inFlight.firstIndex(where: { $0.item.id == id }) else { return (nil, []) }
        let item = inFlight.remove(at: index).item
        known.remove(id)
        return (item, pump())
    }

    /// Call this when a request was refused.
    ///
    /// - Returns: What to do about the request, and the frames to write now.
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

    /// Call this when a pause is over.
    ///
    /// - Returns: The frames to write now; none if another pause has begun since.
    mutating func resume(_ pause: Pause) -> [ClientFrame] {
        guard pause == self.pause else { return [] }
        self.pause = nil
        return pump()
    }

    /// Puts a request back in its old order: in front of all requests added later.
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
            waiting[firstWaiting].wasWritten = true
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
    /// The time to wait before trying again, or `nil` if trying again can't help.
    var retryDelay: Duration? {
        switch code {
        case .tooManyRequests, .unavailable: retryAfter ?? .seconds(1)
        default: nil
        }
    }
}
