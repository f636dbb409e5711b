import NIOCore
import YonderGeodesy
import YonderModel
import YonderWire

/// A session's live regions: beginning them, moving them, ending them.
extension Session {
    func openObjects(_ id: Int64, _ query: ObjectRegionQuery) {
        let subscription = RegionSubscription(
            id: id,
            session: self,
            topic: loop.topics.draw(),
            subject: .objects(query.entity),
            region: query.region,
            limit: query.limit,
            field: query.field
        )
        subscriptions[id] = .region(subscription)
        admit(subscription)
    }

    func openPeople(_ id: Int64, _ query: PeopleRegionQuery) throws(SharingError) {
        guard let user = user?.id else { throw .notSignedIn }
        let people = loop.peopleToWatch()
        let subscription = RegionSubscription(
            id: id,
            session: self,
            topic: loop.topics.draw(),
            subject: .people(user),
            region: query.region,
            limit: query.limit,
            isVisible: people.enter(user)
        )
        subscriptions[id] = .region(subscription)
        people.add(subscription, of: user)
    }

    /// Whether a subscription is still wanted.
    func has(_ subscription: RegionSubscription) -> Bool {
        if case .region(let known) = subscriptions[subscription.id] { known === subscription } else { false }
    }

    /// Ends a subscription that can't be answered, or no longer.
    func refuse(_ subscription: RegionSubscription, _ error: SharingError) {
        let wasTold = subscription.watcher != nil
        drop(subscription.id)
        if wasTold {
            reply(.ended(id: subscription.id, topic: subscription.topic, error))
        } else {
            refuse(FrameRefusal(error, id: subscription.id))
        }
    }

    func fellBehind(_ subscription: RegionSubscription) {
        behind.insert(subscription.id)
    }

    func moveRegion(_ id: Int64, _ move: RegionSubscription.Move) {
        guard case .region(let subscription) = subscriptions[id] else {
            let error = SharingError(
                .invalidField,
                "id must be that of an open subscription to objects or people; \(id) is none."
            )
            return refuse(FrameRefusal(error, id: id))
        }
        do throws(SharingError) {
            try subscription.wish(move)
        } catch {
            refuse(FrameRefusal(error, id: id))
        }
    }

    /// Whether a region may be moved now; if not, the subscription is looked at again when it may.
    func mayMoveRegion(for subscription: RegionSubscription) -> Bool {
        guard let wait = regionMoves.take(at: loop.exchange.uptime()) else { return true }
        guard !subscription.isWaiting else { return false }
        subscription.isWaiting = true
        // The loop is held, so that it is there as long as the subscription needs it.
        let held = NIOLoopBound((loop, subscription), eventLoop: loop.eventLoop)
        loop.eventLoop.scheduleTask(in: TimeAmount(wait)) {
            let subscription = held.value.1
            subscription.isWaiting = false
            subscription.room?.touch(subscription)
        }
        return false
    }

    /// Admits a subscription to objects as soon as it is known what the session's user may do with them.
    ///
    /// That is looked up once, for it never changes.
    func admit(_ subscription: RegionSubscription) {
        guard let user else { return loop.admit(subscription, as: .success(.anyone)) }
        if let objectCaller { return loop.admit(subscription, as: .success(objectCaller)) }
        guard !isAskingCaller else { return }
        isAskingCaller = true
        let accounts = loop.exchange.accounts
        read { () async throws(SharingError) in
            try await accounts.account(user.id).isOperator ? ObjectCaller.owner : .member
        } then: { [self] result in
            isAskingCaller = false
            if case .success(let caller) = result { objectCaller = caller }
            for subscription in unadmitted { loop.admit(subscription, as: result) }
        }
    }

    /// The subscriptions to objects that wait to be admitted, in the order in which they were asked for.
    private var unadmitted: [RegionSubscription] {
        let waiting = subscriptions.values.compactMap { subscription -> RegionSubscription? in
            guard case .region(let region) = subscription, case .objects = region.subject else { return nil }
            return region.room == nil ? region : nil
        }
        return waiting.sorted { $0.topic < $1.topic }
    }
}
