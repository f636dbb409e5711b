/// Says whether this program may know where the device is, and asks for it.
public protocol LocationAuthorizing: Sendable {
    /// What this program may do now.
    var authorization: LocationAuthorization { get }

    /// What this program may do now, then every change of it.
    ///
    /// Each call gives a sequence of its own, which ends with the task that reads it or with the service. A reader that
    /// falls behind gets the newest value and not those before it.
    var authorizationUpdates: AsyncStream<LocationAuthorization> { get }

    /// Asks for permission and waits for the answer.
    ///
    /// Nothing else asks: a position request or a watch without permission waits, as Core Location does.
    ///
    /// If nobody was asked before, it returns when the person has answered, or when the task is canceled. Else it
    /// returns at once with what is allowed now: whether someone who allowed *when in use* is asked again for
    /// *always*, and when, is the system's choice; ``authorizationUpdates`` tells if they agree. On Apple's platforms
    /// nobody is asked if the program's `Info.plist` doesn't say why it wants to know: then it waits until its task is
    /// canceled.
    ///
    /// Linux has no prompt. There the source looks at what it is permitted: the first time this waits until it can
    /// tell, which it can't while its device or daemon isn't there, or until the task is canceled; after a refusal it
    /// looks again, and ``authorizationUpdates`` tells if that has changed.
    ///
    /// - Returns: What this program may do then.
    func requestAuthorization(_ request: AuthorizationRequest) async -> LocationAuthorization
}
