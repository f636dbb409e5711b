import NIOCore
import NIOHTTP1
import Synchronization
import YonderJSON

/// The body of the request that a connection receives now: whether it is allowed, whether it comes fast enough, and
/// whose it is.
///
/// The connection calls it on its event loop; ``allow(for:)`` may be called from anywhere.
///
/// `ClientConnections` makes one for each connection, and passes it each part of a request and of an answer;
/// `RESTRoutes` and `EngineRoutes` call ``allow(for:)`` once a request's caller is known. A body that comes slower than
/// `BodyPace` demands closes the connection; a person with too many bodies under way is refused with `tooManyRequests`
/// by the route.
///
/// A request without a body costs no timer: this must stay. Times and counts are in ``BodyPace`` and ``OpenBodies``
/// (`Documentation/rest.md`, `BodyPaceTests`).
package final class IncomingBody: Sendable {
    private struct State {
        /// Whether a request has begun whose body hasn't ended.
        var isOpen = false

        /// Whether the client waits for `100 Continue` before it sends the body.
        var isExpected = false

        /// The person for whom the open body is counted; `nil` for none.
        var person: Int64?

        /// How many requests aren't answered: what is said of a request means the one whose body comes only if there is
        /// no other.
        var unanswered = 0
    }

    /// The state that only the event loop uses.
    private final class Watch {
        var pace: BodyPace?
        var look: Scheduled<Void>?

        /// Whether the server waits for bytes.
        var isAwaited = false
    }

    /// The body of the connection whose request the task answers.
    @TaskLocal package static var current: IncomingBody?

    private let state = Mutex(State())
    private let watch: NIOLoopBound<Watch>
    private let channel: any Channel
    private let settings: BodyPace.Settings
    private let counts: OpenBodies

    /// Creates the body of a connection without a request; call it on the channel's event loop.
    init(of channel: any Channel, settings: BodyPace.Settings, counts: OpenBodies) {
        self.channel = channel
        self.settings = settings
        self.counts = counts
        watch = NIOLoopBound(Watch(), eventLoop: channel.eventLoop)
    }

    // MARK: What the connection tells

    /// Receives a part of a request.
    func received(_ part: HTTPServerRequestPart) {
        switch part {
        case .head(let head): began(head)
        case .body(let bytes):
            watch.value.pace?.received(bytes.readableBytes)
            watch.value.isAwaited = false
            state.withLock { $0.isExpected = false }
        case .end: ended()
        }
    }

    private func began(_ head: HTTPRequestHead) {
        let expects = head.headers["expect"].contains { $0.utf8.isIgnoringCase("100-continue") }
        state.withLock { state in
            state.isOpen = true
            state.unanswered += 1
            state.isExpected = expects && head.version == .http1_1
        }
        let length = head.headers["content-length"].first.flatMap { Int($0) }
        watch.value.pace = BodyPace(settings, length: length, at: channel.eventLoop.now)
    }

    /// Called when all that came was passed on: of most requests the body has come with the head.
    func readCompleted() {
        guard watch.value.look == nil, let pace = watch.value.pace else { return }
        watch.value.look = channel.eventLoop.assumeIsolated().scheduleTask(deadline: pace.nextLook) {
            self.look()
        }
    }

    /// Called when the server asks for more bytes.
    func awaited() {
        watch.value.isAwaited = true
    }

    private func look() {
        watch.value.look = nil
        guard var pace = watch.value.pace else { return }
        // The look may have been meant for an earlier body.
        guard pace.nextLook <= channel.eventLoop.now else { return readCompleted() }
        let isExpected = state.withLock(\.isExpected)
        let goesOn = pace.look(at: channel.eventLoop.now, isAwaited: watch.value.isAwaited && !isExpected)
        watch.value.pace = pace
        if goesOn { readCompleted() } else { channel.close(promise: nil) }
    }

    /// Called when the connection has ended.
    func closed() {
        watch.value.look?.cancel()
        watch.value.look = nil
        ended()
    }

    /// Called when the body has ended.
    private func ended() {
        watch.value.pace = nil
        let person = state.withLock { state in
            defer { (state.isOpen, state.isExpected, state.person) = (false, false, nil) }
            return state.person
        }
        if let person { counts.giveBack(person) }
    }

    /// Receives a part of an answer: once its head is sent, a client that waits for `100 Continue` gets none any more.
    func sent(_ part: HTTPServerResponsePart) {
        state.withLock { state in
            switch part {
            case .head(let head) where head.status.code >= 200:
                if state.unanswered <= 1 { state.isExpected = false }
            case .end: state.unanswered = max(0, state.unanswered - 1)
            case .head, .body: break
            }
        }
    }

    // MARK: What the endpoint says

    /// Whether the body hasn't come completely.
    package var isComing: Bool { state.withLock(\.isOpen) }

    /// Closes the connection if the body hasn't come completely, because its sender may not send it any more.
    package func cut() {
        if isComing { channel.close(promise: nil) }
    }

    /// Allows the request of a person, or of a caller without an account (`nil`); a client that expects it is sent `100
    /// Continue`.
    ///
    /// - Returns: `false` if the person has too many requests whose bodies haven't come.
    package func allow(for person: Int64?) -> Bool {
        let isCounted = state.withLock { state in
            guard state.isOpen, state.unanswered == 1, state.person == nil, let person else { return true }
            guard counts.take(person) else { return false }
            state.person = person
            return true
        }
        guard isCounted else { return false }
        if state.withLock(\.isExpected) {
            // The end of an earlier answer may still be on its way to the event loop: the number of answers is looked at
            // there.
            channel.eventLoop.execute { self.sendContinue() }
        }
        return true
    }

    private func sendContinue() {
        let isExpected = state.withLock { state in
            guard state.isExpected, state.unanswered == 1 else { return false }
            state.isExpected = false
            return true
        }
        guard isExpected,
            let context = try? channel.pipeline.syncOperations.context(handlerType: FirstRequestHandler.self)
        else { return }
        let head = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
    }
}
