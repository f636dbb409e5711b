import Synchronization

/// Requests from one node to another over the bus, each with at most one answer.
///
/// The bus may lose a request or its answer; the request then fails after the asking node's timeout.
///
/// No answer is `nil`, whatever the reason, and comes exactly once; a canceled task gets it at once. Above ``answerLimit`` requests
/// under way, further ones get none. An answer is cut into parts that fit a frame, and put together by number: the form must stay
/// between versions.
package final class NodeRequests: Sendable {
    private typealias Waiter = CheckedContinuation<[UInt8]?, Never>

    private struct State {
        var pending = PendingRequests<Waiter>()
        var answer: (@Sendable ([UInt8]) async -> [UInt8]?)?
        var answering = 0
    }

    /// The most requests of other nodes that are being answered at the same time; further ones are answered with `nil`.
    private static let answerLimit = 10_000

    /// The most bytes of a request.
    package static let byteLimit = BusFrame.byteLimit / 2

    private let state = Mutex(State())

    init() {}

    /// Sets the closure that answers requests of other nodes, with `nil` if it can't; called once.
    package func serve(_ answer: @escaping @Sendable ([UInt8]) async -> [UInt8]?) {
        state.withLock { $0.answer = answer }
    }

    // MARK: Asking

    /// Sends a request to a node, and waits for its answer.
    ///
    /// - Parameters:
    ///   - node: A node that has sent frames.
    ///   - until: When the request fails without an answer.
    ///   - send: Sends the request with its number.
    /// - Returns: The answer; `nil` if none arrives in time, if the node can't answer or is gone, if too many requests wait, or if
    ///   the task is canceled.
    func ask(_ node: UInt64, until: ContinuousClock.Instant, send: (UInt64) -> Void) async -> [UInt8]? {
        let request = state.withLock { $0.pending.number() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                guard state.withLock({ $0.pending.begin(request, to: node, until: until, waiter) }) else {
                    return waiter.resume(returning: nil)
                }
                // The handler found nothing to cancel if it ran before.
                if Task.isCancelled { cancel(request) } else { send(request) }
            }
        } onCancel: {
            cancel(request)
        }
    }

    /// The number of other nodes' requests that are being answered.
    package var answering: Int { state.withLock { $0.answering } }

    private func cancel(_ request: UInt64) {
        state.withLock { $0.pending.cancel(request) }?.resume(returning: nil)
    }

    /// Receives a part of an answer to this node.
    func receive(_ part: AnswerPart, from node: UInt64) {
        guard let done = state.withLock({ $0.pending.receive(part, from: node) }) else { return }
        done.waiter.resume(returning: done.bytes)
    }

    /// Ends the requests to nodes that are gone.
    func cancel(to nodes: [UInt64]) {
        for waiter in state.withLock({ $0.pending.cancel(to: nodes) }) { waiter.resume(returning: nil) }
    }

    /// Ends the requests whose timeout has passed at `now`.
    func expire(at now: ContinuousClock.Instant) {
        for waiter in state.withLock({ $0.pending.expire(at: now) }) { waiter.resume(returning: nil) }
    }

    // MARK: Answering

    /// Answers another node's request.
    func receive(_ bytes: [UInt8], reply: @escaping @Sendable ([UInt8]?) -> Void) {
        let answer = state.withLock { state in
            guard state.answering < Self.answerLimit, let answer = state.answer else {
                return nil as (@Sendable ([UInt8]) async -> [UInt8]?)?
            }
            state.answering += 1
            return answer
        }
        guard let answer else { return reply(nil) }
        Task {
            reply(await answer(bytes))
            state.withLock { $0.answering -= 1 }
        }
    }
}
