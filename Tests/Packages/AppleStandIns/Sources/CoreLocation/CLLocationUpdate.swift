// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Synchronization

/// What stands for an update of Core Location: live updates give what a test sends by ``send(_:)``, and nothing else.
public struct CLLocationUpdate: Sendable {
    public enum LiveConfiguration: Int, Sendable {
        case `default`
        case automotiveNavigation
        case otherNavigation
        case fitness
        case airborne
    }

    public let location: CLLocation?
    public let stationary: Bool
    public let authorizationDenied: Bool
    public let authorizationDeniedGlobally: Bool
    public let authorizationRestricted: Bool
    public let authorizationRequestInProgress: Bool
    public let insufficientlyInUse: Bool
    public let locationUnavailable: Bool
    public let accuracyLimited: Bool
    public let serviceSessionRequired: Bool

    @available(*, deprecated, renamed: "stationary")
    public var isStationary: Bool { stationary }

    public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
        Updates(configuration: configuration)
    }

    public struct Updates: AsyncSequence, Sendable {
        public typealias Element = CLLocationUpdate
        public typealias Failure = any Error

        fileprivate let configuration: LiveConfiguration

        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var updates: AsyncThrowingStream<CLLocationUpdate, any Error>.Iterator

            public mutating func next() async throws -> CLLocationUpdate? {
                try await updates.next(isolation: #isolation)
            }
        }

        public func makeAsyncIterator() -> Iterator {
            Iterator(updates: readers.open(configuration).makeAsyncIterator())
        }
    }
}

// MARK: - For tests

extension CLLocationUpdate {
    /// Creates an update, which Apple's systems alone can.
    public init(
        location: CLLocation? = nil,
        stationary: Bool = false,
        authorizationDenied: Bool = false,
        authorizationDeniedGlobally: Bool = false,
        authorizationRestricted: Bool = false,
        locationUnavailable: Bool = false
    ) {
        self.location = location
        self.stationary = stationary
        self.authorizationDenied = authorizationDenied
        self.authorizationDeniedGlobally = authorizationDeniedGlobally
        self.authorizationRestricted = authorizationRestricted
        self.locationUnavailable = locationUnavailable
        authorizationRequestInProgress = false
        insufficientlyInUse = false
        accuracyLimited = false
        serviceSessionRequired = false
    }

    /// How many readers of live updates there are.
    public static var readerCount: Int { readers.count }

    /// The configuration of the newest reader, or `nil` without a reader.
    public static var configuration: LiveConfiguration? { readers.configuration }

    /// Sends an update to every reader.
    public static func send(_ update: CLLocationUpdate) {
        readers.send(update)
    }

    /// Ends the updates of every reader, with an error or without one.
    public static func end(_ error: (any Error)? = nil) {
        readers.end(error)
    }
}

private let readers = Readers()

private final class Readers: Sendable {
    private struct Reader {
        let configuration: CLLocationUpdate.LiveConfiguration
        let updates: AsyncThrowingStream<CLLocationUpdate, any Error>.Continuation
    }

    private let state = Mutex((next: 0, readers: [Int: Reader]()))

    var count: Int { state.withLock { $0.readers.count } }

    var configuration: CLLocationUpdate.LiveConfiguration? {
        state.withLock { state in state.readers.max { $0.key < $1.key }?.value.configuration }
    }

    func open(_ configuration: CLLocationUpdate.LiveConfiguration)
        -> AsyncThrowingStream<CLLocationUpdate, any Error>
    {
        let (stream, updates) = AsyncThrowingStream.makeStream(of: CLLocationUpdate.self)
        let number = state.withLock { state in
            state.next += 1
            state.readers[state.next] = Reader(configuration: configuration, updates: updates)
            return state.next
        }
        updates.onTermination = { [self] _ in remove(number) }
        return stream
    }

    func send(_ update: CLLocationUpdate) {
        for updates in state.withLock({ $0.readers.values.map(\.updates) }) { updates.yield(update) }
    }

    func end(_ error: (any Error)?) {
        for updates in state.withLock({ $0.readers.values.map(\.updates) }) {
            updates.finish(throwing: error)
        }
    }

    private func remove(_ number: Int) {
        state.withLock { $0.readers[number] = nil }
    }
}
