public import YonderLocation

/// A simulated phone, for previews and tests: one object is the system as one process sees it.
///
/// A test passes it to a ``PocketSharing``, sends it the events and updates of a phone, and reads ``calls``. A next process
/// is another object with the same record store. Unlike iOS it never suspends or ends a process by itself.
///
/// Nothing fails. It must do what `PocketSystem` says, as `ApplePocketSystem` does on a phone; what it can't tell is in that
/// file's comments. ``calls`` grows with each call, and tests compare it, so its cases and their order must stay
/// (`PocketSharingTests`, `PocketSignInTests`).
@MainActor public final class MemoryPocketSystem: PocketSystem {
    /// A call that the system received.
    public enum Call: Hashable, Sendable {
        /// The activity session was begun.
        case beginSession
        /// The activity session was ended.
        case endSession
        /// Positions were asked for.
        case follow
        /// Significant changes and visits were asked for.
        case watchMoves
        /// Significant changes and visits were refused.
        case ignoreMoves
        /// A background task was begun.
        case beginTask
        /// The background task was ended.
        case endTask
        /// The permission to show notifications was asked for.
        case askToNotify
        /// The notification was shown.
        case show(PocketNotice)
        /// The notification was removed.
        case removeNotice
    }

    /// The calls so far.
    public private(set) var calls: [Call] = []

    /// The permission.
    public private(set) var authorization: LocationAuthorization

    /// Whether an activity session runs.
    public private(set) var hasSession = false

    /// Whether a background task is open.
    public private(set) var hasTask = false

    /// The button of the notification, or `nil` before it was registered.
    public private(set) var stopTitle: String?

    /// Whether positions are asked for.
    public var isFollowed: Bool { updates != nil }

    private var receive: @MainActor (PocketSystemEvent) -> Void = { _ in }
    private var updates: AsyncStream<PocketUpdate>.Continuation?

    /// Creates a phone.
    public init(authorization: LocationAuthorization = .whenInUse) {
        self.authorization = authorization
    }

    // MARK: - The phone

    /// Sends an event to the app.
    public func send(_ event: PocketSystemEvent) {
        if case .authorization(let authorization) = event { self.authorization = authorization }
        if event == .taskExpired, !hasTask { return }
        receive(event)
    }

    /// Sends one of Core Location's updates to the app, if the app asks for positions.
    ///
    /// - Returns: Whether the app asks for positions; otherwise the update is lost, as on a phone.
    @discardableResult
    public func send(_ update: PocketUpdate) -> Bool {
        updates?.yield(update) != nil
    }

    /// Ends the updates, as Core Location does after a failure.
    public func endUpdates() {
        updates?.finish()
    }

    // MARK: - PocketSystem

    /// See ``PocketSystem/setReceiver(_:)``.
    public func setReceiver(_ receive: @escaping @MainActor (PocketSystemEvent) -> Void) {
        self.receive = receive
    }

    /// See ``PocketSystem/beginSession()``.
    public func beginSession() {
        hasSession = true
        calls.append(.beginSession)
    }

    /// See ``PocketSystem/endSession()``.
    public func endSession() {
        hasSession = false
        calls.append(.endSession)
    }

    /// See ``PocketSystem/follow(_:)``.
    public func follow(_ receive: @MainActor (PocketUpdate) async -> Void) async {
        calls.append(.follow)
        let (stream, updates) = AsyncStream.makeStream(of: PocketUpdate.self)
        self.updates = updates
        for await update in stream { await receive(update) }
        self.updates = nil
    }

    /// See ``PocketSystem/watchMoves()``.
    public func watchMoves() { calls.append(.watchMoves) }

    /// See ``PocketSystem/ignoreMoves()``.
    public func ignoreMoves() { calls.append(.ignoreMoves) }

    /// See ``PocketSystem/beginTask()``.
    public func beginTask() {
        hasTask = true
        calls.append(.beginTask)
    }

    /// See ``PocketSystem/endTask()``.
    public func endTask() {
        hasTask = false
        calls.append(.endTask)
    }

    /// See ``PocketSystem/registerStop(_:)``.
    public func registerStop(_ title: String) { stopTitle = title }

    /// See ``PocketSystem/askToNotify()``.
    public func askToNotify() { calls.append(.askToNotify) }

    /// See ``PocketSystem/show(_:)``.
    public func show(_ notice: PocketNotice) { calls.append(.show(notice)) }

    /// See ``PocketSystem/removeNotice()``.
    public func removeNotice() { calls.append(.removeNotice) }
}
