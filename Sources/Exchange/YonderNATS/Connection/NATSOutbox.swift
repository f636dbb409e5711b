import NIOCore

/// The messages that wait to be sent, as the bytes that the server will read, and the client's counts.
///
/// Waiting and written messages that the connection hasn't taken are at most `limit` bytes; a message beyond that is
/// dropped and counted. Without a connection messages wait, too.
///
/// The client holds it in a mutex: any thread publishes, the event loop alone takes batches. A batch counts as sent once it
/// is given to the connection; if the connection ends before it took the batch, its messages also count as dropped. So a
/// message may count as both, and the two counts don't add up to the messages that were published.
///
/// `NATSClient` appends what is published and takes a batch when the session says *drain*. It is a plain value, and
/// nothing throws. The order of publishing must stay, and the bound: a cluster's node must not grow while NATS is away
/// (`NATSOutboxTests`). `limit` is a setting.
struct NATSOutbox {
    /// Messages given to the connection at once.
    struct Batch {
        let bytes: ByteBuffer
        let messages: Int
    }

    /// The fate of a message.
    enum Outcome: Hashable {
        /// It waits, and the event loop has to be woken.
        case wakes

        /// It waits for a wake that is on its way.
        case waits

        /// It was dropped; `wakes` if the event loop has to be woken to report this.
        case dropped(wakes: Bool)
    }

    /// The most bytes of a payload, as the server says.
    var payloadLimit = NATSServerInfo.usualPayload
    private(set) var counts = NATSCounts()

    private let limit: Int
    private var waiting = ByteBuffer()
    private var waitingMessages = 0
    private var writtenBytes = 0
    private var unreportedDrops = 0
    private var isWoken = false
    private var isClosed = false

    init(limit: Int) {
        self.limit = limit
    }

    /// The number of bytes that the connection hasn't taken.
    var unsent: Int { waiting.readableBytes + writtenBytes }

    /// Takes a message to be sent, unless the outbox is closed or full, the subject is a pattern, or the payload is above
    /// the server's limit.
    mutating func publish(_ subject: NATSSubject, _ payload: ByteBuffer) -> Outcome {
        // PUB, two spaces, a length and two line ends have less than 32 bytes.
        let size = payload.readableBytes + subject.text.utf8.count + 32
        guard !isClosed, !subject.isPattern, payload.readableBytes <= payloadLimit, unsent + size <= limit
        else {
            drop(1)
            return .dropped(wakes: wake())
        }
        waiting.writeMessage(subject, payload)
        waitingMessages += 1
        return wake() ? .wakes : .waits
    }

    /// Takes all waiting messages out, to be written.
    mutating func take() -> Batch? {
        guard waitingMessages > 0 else { return nil }
        let batch = Batch(bytes: waiting, messages: waitingMessages)
        waiting = ByteBuffer()
        waitingMessages = 0
        writtenBytes += batch.bytes.readableBytes
        counts.sent += batch.messages
        counts.bytesSent += batch.bytes.readableBytes
        return batch
    }

    /// Call this when the connection has taken a batch, or has ended before.
    mutating func finished(_ batch: Batch, isTaken: Bool) {
        writtenBytes -= batch.bytes.readableBytes
        if !isTaken { drop(batch.messages) }
    }

    /// The event loop calls this first when it was woken, before ``take()``: a message that is published after this call
    /// wakes the loop again.
    mutating func awake() {
        isWoken = false
    }

    /// Returns the drops since the last call.
    mutating func takeDrops() -> Int {
        defer { unreportedDrops = 0 }
        return unreportedDrops
    }

    /// Drops what waits, and all that comes after.
    mutating func close() {
        isClosed = true
        drop(waitingMessages)
        waiting = ByteBuffer()
        waitingMessages = 0
    }

    /// Counts messages that the server delivered to this client.
    mutating func received(messages: Int, bytes: Int) {
        counts.received += messages
        counts.bytesReceived += bytes
    }

    /// Counts a connection after the first.
    mutating func reconnected() {
        counts.reconnects += 1
    }

    private mutating func wake() -> Bool {
        defer { isWoken = true }
        return !isWoken
    }

    private mutating func drop(_ count: Int) {
        counts.dropped += count
        unreportedDrops += count
    }
}
