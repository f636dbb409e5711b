import NIOCore
import YonderGeodesy
import YonderModel
import YonderWire

/// A session's live regions: beginning them, moving them, ending them.
///
/// `Session+Subscriptions.swift` and `Session+Frames.swift` call it on the session's loop. The caller's rights are read
/// from the store first, one read for a session; a refusal ends the subscription alone. A move that comes too soon waits
/// and is made later, the last one alone (`Documentation/stream.md`, `RegionAccessTests`; decision 9).
///
/// That the frames of one region have the order of its moves must stay.
extension Session {
    func openObjects(_ id: Int64, _ query: ObjectRegionQuery) {
        let subscription = RegionSubscription(
            id: id,
            session: self,
            topic: loop.drawTopic(),
            subject: .objects(query.entity),
            region: query.region,
            limit: query.limit,
            field: query.field
        )
        insert(.region(subscription), as: id)
        admit(subscription)
    }

    func openPeople(_ id: Int64, _ query: PeopleRegionQuery) throws(SharingError) {
        guard let user = user?.id else { throw .notSignedIn }
        let people = loop.regions.peopleToWatch()
        let subscription = RegionSubscription(
            id: id,
            session: self,
            topic: loop.drawTopic(),
            subject: .people(user),
            region: query.region,
            limit: query.limit,
            isVisible: people.enter(user)
        )
        insert(.region(subscription), as: id)
        people.add(subscription, of: user)
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
        guard let wait = useRegionMove() else { return true }
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
}
