/// What a WebSocket over Network.framework tells its owner, and what the owner does then: a value without the framework.
///
/// The owner passes each event with its time and takes the steps in order. `Documentation/connections.md` has the table of
/// states.
///
/// `NetworkStreamLink` is the owner, on one queue. An event that comes late or twice gives no steps; after the end nothing
/// does. A failure becomes a `LinkClosure`, and the owner's reader gets it once. The states must agree with the table, and
/// with the NIO link on Linux, which keeps the same promises (`StreamEventsTests`).
///
/// The times, the capacity and the bounds of ``writable`` may change here, with the guide's numbers.
struct StreamEvents: Sendable {
    /// Why a connection failed, as far as it matters.
    enum Failure: Hashable, Sendable {
        /// There is no route, no such name, no server that answers, or no certificate that is trusted.
        case unreachable(String)
        /// Anything else. Before the connection is ready it may be a refused upgrade, whose status the framework doesn't
        /// tell.
        case other(String)
    }

    /// A call of the framework's, of the reader's or of the owner's timer.
    enum Event: Hashable, Sendable {
        /// The owner waits until the connection is open.
        case opens
        /// The connection is upgraded, to the subprotocol that the server chose.
        case ready(subprotocol: String?)
        /// The connection failed, or the framework waits until it might succeed.
        case failed(Failure)
        case cancelled
        /// A message of text came.
        case text([UInt8])
        /// Another message came.
        case other
        /// A close frame came.
        case closed(code: UInt16?, reason: String)
        /// Receiving ended, with an error or because the server sends no more.
        case ended(String?)
        /// A frame of so many bytes is handed to the framework.
        case sending(Int)
        /// The framework has passed a frame of so many bytes on, or couldn't.
        case sent(Int, failure: String?)
        case pong
        /// Time passed.
        case tick
        /// The reader waits for frames.
        case reads
        /// The owner closes the connection.
        case closes
    }

    /// A call that the owner makes.
    enum Step: Hashable, Sendable {
        /// The connection is open.
        case opened
        case notOpened(OpenFailure)
        /// Ask the framework for the next message.
        case receive
        /// Give these frames to the reader.
        case deliver([[UInt8]])
        /// Tell the reader that the connection ended.
        case end(LinkClosure)
        case ping
        case cancel

        var isForOpener: Bool {
            switch self {
            case .opened, .notOpened: true
            default: false
            }
        }

        var isForReader: Bool {
            switch self {
            case .deliver, .end: true
            default: false
            }
        }
    }

    /// The longest time to connect and to be greeted.
    static let timeout = Duration.seconds(15)

    /// The longest time without a message, after which the server is pinged; and then without an answer to that.
    static let silence = Duration.seconds(40)

    /// The most frames that wait for the reader; nothing more is received then.
    static let capacity = 256

    /// The bytes on their way to the framework from which on the connection takes no more, and those below which it does
    /// again.
    static let writable = (high: 65_536, low: 32_768)

    private enum Phase: Hashable {
        case connecting
        case open
        case over(LinkClosure)
    }

    private var phase = Phase.connecting
    private var frames: [[UInt8]] = []
    private var isReading = false
    private var isReceiving = false
    private var isGreeted = false
    private let began: Duration
    private var heard: Duration
    private var pinged: Duration?
    private var outstanding = 0

    /// Whether the connection can accept more frames now.
    private(set) var isWritable = true

    /// The subprotocol that the server must choose, or `nil` if none was offered.
    private let subprotocol: String?

    /// Begins to connect at a time of any clock.
    init(at now: Duration, subprotocol: String? = "yonder.v1") {
        (began, heard) = (now, now)
        self.subprotocol = subprotocol
    }

    /// Takes an event.
    ///
    /// - Returns: What to do now, in order.
    mutating func take(_ event: Event, at now: Duration) -> [Step] {
        switch (phase, event) {
        case (_, .sending(let bytes)): send(bytes)
        case (_, .sent(let bytes, let failure)): return sent(bytes, failure)
        case (_, .reads): return read()
        case (.over(let closure), .opens): return [.notOpened(.closed(closure))]
        case (.over, _): break
        case (.connecting, _): return connect(event, at: now)
        case (.open, _): return follow(event, at: now)
        }
        return []
    }

    // MARK: - Connecting

    private mutating func connect(_ event: Event, at now: Duration) -> [Step] {
        switch event {
        case .ready(let chosen) where subprotocol == nil || chosen == subprotocol:
            (phase, heard, isReceiving) = (.open, now, true)
            return [.opened, .receive]
        case .ready: return fail("The server didn't choose the subprotocol \(subprotocol ?? "").")
        case .failed(.unreachable(let reason)): return fail(reason)
        case .failed(.other(let reason)):
            phase = .over(.lost(reason))
            return [.notOpened(.notUpgraded), .cancel]
        case .cancelled, .closes: return fail("Closed.")
        case .closed, .ended: return fail("The server closed the connection.")
        case .tick where now - began >= Self.timeout:
            return fail("The server couldn't be reached within \(Self.timeout).")
        default: return []
        }
    }

    private mutating func fail(_ reason: String) -> [Step] {
        phase = .over(.lost(reason))
        return [.notOpened(.closed(.lost(reason))), .cancel]
    }

    // MARK: - Open

    private mutating func follow(_ event: Event, at now: Duration) -> [Step] {
        switch event {
        case .text(let frame):
            frames.append(frame)
            isGreeted = true
            return hear(at: now)
        case .other: return hear(at: now)
        case .pong:
            (heard, pinged) = (now, nil)
            return []
        case .closed(let code, let reason): return end(LinkClosure(code: code, reason: reason))
        case .ended(let reason): return end(.lost(reason ?? "The server closed the connection."))
        case .failed(.unreachable(let reason)), .failed(.other(let reason)):
            return end(.lost(reason))
        case .cancelled, .closes: return end(.lost("Closed."))
        case .tick: return tick(at: now)
        case .opens, .ready, .sending, .sent, .reads: return []
        }
    }

    private mutating func hear(at now: Duration) -> [Step] {
        (heard, pinged, isReceiving) = (now, nil, false)
        return read(isNew: false)
    }

    private mutating func tick(at now: Duration) -> [Step] {
        if !isGreeted, now - began >= Self.timeout {
            return end(.lost("The server didn't greet this client."))
        }
        // A server isn't silent while the reader takes nothing, and nothing is received for it.
        guard isReceiving else {
            (heard, pinged) = (now, nil)
            return []
        }
        if let pinged {
            guard now - pinged >= Self.silence else { return [] }
            return end(.lost("The server sent nothing for too long, not even a pong."))
        }
        guard now - heard >= Self.silence else { return [] }
        pinged = now
        return [.ping]
    }

    private mutating func end(_ closure: LinkClosure) -> [Step] {
        phase = .over(closure)
        return read(isNew: false) + [.cancel]
    }

    // MARK: - Reading and writing

    /// Gives the reader what is there: first the frames, then the reason of the end.
    private mutating func read(isNew: Bool = true) -> [Step] {
        isReading = isReading || isNew
        var steps: [Step] = []
        if isReading, !frames.isEmpty {
            steps.append(.deliver(frames))
            (frames, isReading) = ([], false)
        } else if isReading, case .over(let closure) = phase {
            steps.append(.end(closure))
            isReading = false
        }
        if phase == .open, !isReceiving, frames.count < Self.capacity {
            isReceiving = true
            steps.append(.receive)
        }
        return steps
    }

    private mutating func send(_ bytes: Int) {
        outstanding += bytes
        if outstanding >= Self.writable.high { isWritable = false }
    }

    private mutating func sent(_ bytes: Int, _ failure: String?) -> [Step] {
        outstanding -= bytes
        if outstanding < Self.writable.low { isWritable = true }
        guard let failure, phase == .open else { return [] }
        return end(.lost(failure))
    }
}
