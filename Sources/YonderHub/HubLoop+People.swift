import YonderGeodesy
import YonderModel

/// The map of people: there while somebody on this loop watches it or it is being read.
extension HubLoop {
    /// The people whom viewers here may see, which are read if nobody watched so far.
    func peopleToWatch() -> PeopleFeed {
        let feed = people ?? PeopleFeed(self)
        people = feed
        return feed
    }

    /// Takes in that somebody watches no longer.
    func removeViewer(_ subscription: RegionSubscription, of user: UserID) {
        people?.remove(subscription, of: user)
        removePeopleIfIdle()
    }

    /// Forgets the map when nobody watches it and no read for it is under way.
    func removePeopleIfIdle() {
        if people?.isIdle ?? false { people = nil }
    }

    /// Takes in what time it is: what has expired is seen no more.
    func expire(at now: Timestamp) {
        people?.expire(at: now)
        world.end(at: now)
    }
}
