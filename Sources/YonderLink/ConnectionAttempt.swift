#if os(Linux)
import NIOCore
import Synchronization

/// A connection that is being made, which is closed when its task is canceled.
final class ConnectionAttempt: Sendable {
    private let state = Mutex<(channel: (any Channel)?, isCanceled: Bool)>((nil, false))

    private init() {}

    /// Makes a connection; `body` calls ``began(_:)`` with its channel.
    static func run<Opened>(_ body: (ConnectionAttempt) async throws -> Opened) async throws -> Opened {
        let attempt = ConnectionAttempt()
        return try await withTaskCancellationHandler {
            try await body(attempt)
        } onCancel: {
            attempt.cancel()
        }
    }

    /// Takes the channel, before it connects.
    ///
    /// - Throws: `CancellationError` if the task is canceled already.
    func began(_ channel: any Channel) throws {
        let isCanceled = state.withLock { state in
            state.channel = channel
            return state.isCanceled
        }
        if isCanceled { throw CancellationError() }
    }

    private func cancel() {
        let channel = state.withLock { state in
            state.isCanceled = true
            return state.channel
        }
        channel?.close(promise: nil)
    }
}
#endif
