#if os(Linux)
import NIOCore
import Synchronization

/// A connection that is being made, which is closed when its task is canceled.
final class ConnectionAttempt: Sendable {
    /// A host with several addresses has a channel for each that was tried.
    private let state = Mutex<(channels: [any Channel], isCanceled: Bool)>(([], false))

    private init() {}

    /// Makes a connection; `body` calls ``began(_:)`` with each channel.
    static func run<Opened>(_ body: (ConnectionAttempt) async throws -> Opened) async throws -> Opened {
        let attempt = ConnectionAttempt()
        return try await withTaskCancellationHandler {
            try await body(attempt)
        } onCancel: {
            attempt.cancel()
        }
    }

    /// Takes a channel, before it connects.
    ///
    /// - Throws: `CancellationError` if the task is canceled already.
    func began(_ channel: any Channel) throws {
        let isCanceled = state.withLock { state in
            state.channels.append(channel)
            return state.isCanceled
        }
        if isCanceled { throw CancellationError() }
    }

    private func cancel() {
        let channels = state.withLock { state in
            state.isCanceled = true
            return state.channels
        }
        for channel in channels { channel.close(promise: nil) }
    }
}
#endif
