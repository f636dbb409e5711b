import Logging
import Synchronization
import YonderGeodesy
import YonderRules

// What arrives from other nodes, and requests to them.
extension NodeLink {
    /// How old a frame with a message or a question that isn't stored may be; an older frame is dropped.
    private static let shortLife = Duration.seconds(10)

    /// Takes what the bus brings.
    func receive(_ event: BusEvent) {
        switch event {
        case .frame(let bytes):
            guard let frame = try? BusFrame(bytes) else {
                return receive(unreadable: bytes)
            }
            if frame.node != node { receive(frame) }
        case .connected:
            state.withLock { $0.hasBus = true }
            logger.info("Bus connected")
            publish(.alive(hasStore: hasStore))
            missed()
        case .away:
            state.withLock { $0.hasBus = false }
            logger.warning("Bus away: messages of other nodes are read from the store")
        case .lost: missed()
        }
    }

    private func receive(unreadable bytes: [UInt8]) {
        unreadable.note(bytes.count, at: uptime())
        // Its number counts as received: the node's next frame has no gap before it, and the node isn't asked for all of its users.
        if let head = BusFrame.head(of: bytes), head.node != node {
            state.withLock { _ = $0.roll.receive(node: head.node, number: head.number, at: uptime()) }
        }
        missed()
    }

    private func receive(_ frame: BusFrame) {
        let reception = state.withLock {
            $0.roll.receive(node: frame.node, number: frame.number, at: uptime())
        }
        // A node that was silent for too long is new again; this node has missed the frames before.
        if reception == .gap || reception == .new && frame.number > 1 { missed() }
        if reception == .new || reception == .gap { ask(frame.node) }
        if case .committed(let published) = frame.content {
            let lateness = now().milliseconds - frame.sent.milliseconds
            gates.receive(published, at: uptime(), lateness: lateness) { deliver($0) }
            settle()
            return passEarly()
        }
        if case .objectsChanged = frame.content {
            listener?.receive(frame.content, from: frame.node)
            return
        }
        // A repeated or overtaken frame is of use for the gates alone, which put commits and changes in order.
        guard reception != .old else { return }
        switch frame.content {
        case .alive(let hasStore):
            state.withLock { state in
                let isIn = hasStore && state.roll.knows(frame.node)
                if isIn { state.withStore.insert(frame.node) } else { state.withStore.remove(frame.node) }
            }
        case .leaving:
            state.withLock { state in
                state.roll.remove(frame.node)
                state.withStore.remove(frame.node)
                state.unanswered.remove(frame.node)
            }
            gone([frame.node])
        case .passed, .asked:
            guard now() - frame.sent < Self.shortLife else { break }
            if case .passed(let published, let last) = frame.content {
                pass(published, behind: last)
            } else {
                listener?.receive(frame.content, from: frame.node)
            }
        case .ask(let asked) where asked != node: break
        case .request(let asked, let number, let bytes):
            if asked == node { answer(bytes, to: number, of: frame.node) }
        case .answer(let part): if part.node == node { requests.receive(part, from: frame.node) }
        case .present(let page):
            if page.isLast { state.withLock { _ = $0.unanswered.remove(frame.node) } }
            listener?.receive(frame.content, from: frame.node)
        default: listener?.receive(frame.content, from: frame.node)
        }
    }

    /// Forgets nodes: nobody waits for their answers, and the listener removes their users and pins.
    func gone(_ nodes: [UInt64]) {
        requests.cancel(to: nodes)
        listener?.gone(nodes)
    }

    // MARK: Requests

    /// Sends a request to a node, and waits for its answer.
    ///
    /// - Parameters:
    ///   - other: The node's number.
    ///   - bytes: The request, at most ``NodeRequests/byteLimit`` bytes.
    ///   - timeout: How long to wait; checked with each heartbeat, so the wait may take a second longer.
    /// - Returns: The answer; `nil` if the request is too long, or if the node is unknown, can't answer, or doesn't answer
    ///   in time.
    package func ask(_ other: UInt64, _ bytes: [UInt8], within timeout: Duration) async -> [UInt8]? {
        guard others.contains(other), bytes.count <= NodeRequests.byteLimit else { return nil }
        return await requests.ask(other, until: uptime() + timeout) {
            publish(.request(to: other, number: $0, bytes))
        }
    }

    /// Sends a request to a node; the answer is dropped, as no request that waits has the number 0.
    package func tell(_ other: UInt64, _ bytes: [UInt8]) {
        guard others.contains(other), bytes.count <= NodeRequests.byteLimit else { return }
        publish(.request(to: other, number: 0, bytes))
    }

    private func answer(_ bytes: [UInt8], to request: UInt64, of other: UInt64) {
        requests.receive(bytes) { [weak self] answer in
            for part in AnswerPart.parts(of: answer, to: request, of: other) { self?.publish(.answer(part)) }
        }
    }

    /// Asks a node for its users and pins, now and with each heartbeat until the node answers, because a frame may be lost.
    private func ask(_ other: UInt64) {
        state.withLock { if $0.roll.knows(other) { $0.unanswered.insert(other) } }
        publish(.ask(other))
    }
}
