import YonderWorld

/// A session's subscription, one case for each kind of query.
///
/// `SubscriptionTable` keeps them by id; a session resumes those that fell behind, on its loop. A further kind of query
/// is a case here (`SubscriptionTableTests`).
enum SessionSubscription {
    case messages(MessageSubscription)
    case state(StateSubscription)
    case world(WorldMember)
    case region(RegionSubscription)

    /// Goes on once the session's outbox has room.
    func resume() {
        switch self {
        case .messages(let subscription): CatchUp.resume(subscription)
        case .state(let subscription):
            if subscription.isStale { subscription.session.loop.answer(subscription) }
        case .world: break
        case .region(let subscription): subscription.room?.touch(subscription)
        }
    }
}
