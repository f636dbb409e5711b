import YonderGeodesy
import YonderModel

/// The map of people. A loop has one while a viewer on the loop watches it or a read for it is under way.
extension HubLoop {
    /// The loop's map of people, created if there is none.
    func peopleToWatch() -> PeopleFeed {
        let feed = people ?? PeopleFeed(self)
        people = feed
        return feed
    }

    /// Removes a viewer.
    func removeViewer(_ subscription: RegionSubscription, of user: UserID) {
        people?.remove(subscription, of: user)
        removePeopleIfIdle()
    }

    /// Removes the map when it has no viewer and no read under way.
    func removePeopleIfIdle() {
        if people?.isIdle ?? false { people = nil }
    }

    /// Removes the positions that have expired at `now` from the map.
    func expire(at now: Timestamp) {
        people?.expire(at: now)
        world.end(at: now)
    }
}
