#if canImport(Network)
import Dispatch
import Foundation
import Network
import Synchronization

/// The stream over Network.framework, which knows the phone's cellular network, VPN, proxies and trusted authorities.
///
/// It only forwards: what an event means is decided by ``StreamEvents``.
///
/// On Apple's systems `Links` opens one for each connection; on Linux it is a `WebSocketLink`. Network.framework calls back
/// on the queue, one task reads by ``next()``, any may write. Nothing but the opening and reading throws; a write after the
/// end is lost. Decisions are tested in `StreamEventsTests`; `make test-apple` runs this file against a stand-in of the
/// framework. The time between ticks may change; the limit of a message must be above the server's pages.
final class NetworkStreamLink: StreamLink {
    private typealias Reader = CheckedContinuation<Result<[[UInt8]], LinkClosure>, Never>

    private struct State {
        var events: StreamEvents
        var opener: CheckedContinuation<OpenFailure?, Never>?
        var reader: Reader?
    }

    private let connection: NWConnection
    private let queue = DispatchQueue(label: "yonder.stream")
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private let state: Mutex<State>

    private init(_ address: ServerAddress, _ url: URL, _ target: StreamTarget, _ headers: [LinkHeader]) {
        let webSocket = NWProtocolWebSocket.Options()
        webSocket.autoReplyPing = true
        webSocket.maximumMessageSize = 1 << 20
        if let name = target.subprotocol { webSocket.setSubprotocols([name]) }
        webSocket.setAdditionalHeaders(
            headers.map { ($0.name, $0.value) } + [("User-Agent", "yonder-client")]
        )
        let tls = address.isSecure ? NWProtocolTLS.Options() : nil
        let parameters = NWParameters(tls: tls, tcp: NWProtocolTCP.Options())
        parameters.defaultProtocolStack.applicationProtocols.insert(webSocket, at: 0)
        // A host and a port would ask for `/`: the path needs a URL.
        connection = NWConnection(to: .url(url), using: parameters)
        start = clock.now
        state = Mutex(State(events: StreamEvents(at: .zero, subprotocol: target.subprotocol)))
    }

    /// Connects, and upgrades the connection to a WebSocket.
    static func connect(
        _ address: ServerAddress,
        _ target: StreamTarget,
        _ headers: [LinkHeader]
    ) async throws(OpenFailure) -> any StreamLink {
        let scheme = address.isSecure ? "wss" : "ws"
        guard let url = URL(string: "\(scheme)://\(address.authority)\(address.prefix)\(target.path)") else {
            throw .closed(.lost("The server's address can't be a URL."))
        }
        let link = NetworkStreamLink(address, url, target, headers)
        let failure = await withTaskCancellationHandler {
            await withCheckedContinuation { opener in
                link.state.withLock { $0.opener = opener }
                link.begin()
            }
        } onCancel: {
            link.take(.closes)
        }
        if let failure { throw failure }
        return link
    }

    deinit { connection.cancel() }

    private func begin() {
        connection.stateUpdateHandler = { [weak self] state in
            guard let self, let event = StreamEvents.Event(state, of: connection) else { return }
            take(event)
        }
        connection.start(queue: queue)
        tick()
        // It may be over already, because the task was canceled.
        take(.opens)
    }

    private func tick() {
        queue.asyncAfter(deadline: .now() + 5) { [weak self] in
            guard let self else { return }
            take(.tick)
            tick()
        }
    }

    func next() async throws(LinkClosure) -> [[UInt8]] {
        let result: Result<[[UInt8]], LinkClosure> = await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                take(.reads) { state in
                    defer { state.reader = reader }
                    return state.reader
                }
            }
        } onCancel: {
            take(.closes)
        }
        return try result.get()
    }

    func write(_ text: [UInt8]) {
        take(.sending(text.count))
        send(.text, Data(text)) { [weak self] in self?.take(.sent(text.count, failure: $0)) }
    }

    var isWritable: Bool { state.withLock(\.events.isWritable) }

    func close() { take(.closes) }

    /// Takes an event, after a change that returns the reader whose place another one took, and does what follows.
    private func take(_ event: StreamEvents.Event, _ change: (inout State) -> Reader? = { _ in nil }) {
        let (steps, opener, reader, earlier) = state.withLock { state in
            let earlier = change(&state)
            let steps = state.events.take(event, at: clock.now - start)
            let opener = steps.contains(where: \.isForOpener) ? state.opener.take() : nil
            let reader = steps.contains(where: \.isForReader) ? state.reader.take() : nil
            return (steps, opener, reader, earlier)
        }
        earlier?.resume(returning: .failure(.lost("Another task reads this connection now.")))
        for step in steps {
            switch step {
            case .opened: opener?.resume(returning: nil)
            case .notOpened(let failure): opener?.resume(returning: failure)
            case .deliver(let frames): reader?.resume(returning: .success(frames))
            case .end(let closure): reader?.resume(returning: .failure(closure))
            case .receive: receive()
            case .ping: send(.ping, Data()) { _ in }
            case .cancel: connection.cancel()
            }
        }
    }

    private func receive() {
        connection.receiveMessage { [weak self] content, context, _, error in
            self?.take(StreamEvents.Event(content, context, error))
        }
    }

    private func send(
        _ opcode: NWProtocolWebSocket.Opcode,
        _ data: Data,
        then: @escaping @Sendable (String?) -> Void
    ) {
        let message = NWProtocolWebSocket.Metadata(opcode: opcode)
        if opcode == .ping {
            message.setPongHandler(queue) { [weak self] error in if error == nil { self?.take(.pong) } }
        }
        let context = NWConnection.ContentContext(identifier: "\(opcode)", metadata: [message])
        let completion = NWConnection.SendCompletion.contentProcessed { error in then(error.map { "\($0)" }) }
        connection.send(content: data, contentContext: context, isComplete: true, completion: completion)
    }
}
#endif
