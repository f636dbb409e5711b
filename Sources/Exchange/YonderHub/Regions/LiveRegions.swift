import NIOCore
import YonderModel
import YonderRules
import YonderObjects
import YonderWire

/// The live regions of one event loop: its rooms, which viewers have a region in one, and the map of people.
///
/// The map of people is there while a viewer on the loop watches it or a read for it is under way.
///
/// `HubLoop` has one and calls all of it on its event loop: sessions admit and remove subscriptions, the catalog's
/// changes come to ``definitionChanged(of:)``, and ``distribute()`` runs at the end of a round that was dirty. An error
/// of admitting refuses the subscription alone. A room goes when it is empty.
///
/// What a viewer is sent is decided in `RegionRoom` and `LiveRegion`. That a subscription whose entity is gone or hidden
/// ends must stay (decision 9, `RegionTests`).
final class LiveRegions {
    private unowned let exchange: Exchange
    private let eventLoop: any EventLoop
    private let reads: StoreReads
    private var table = RegionTable()

    /// The loop's map of people, if there is one.
    private(set) var people: PeopleFeed?

    /// Called when ``distribute()`` should run at the end of the round.
    var onDirty: () -> Void = {}

    init(on eventLoop: any EventLoop, of exchange: Exchange, reads: StoreReads) {
        self.eventLoop = eventLoop
        self.exchange = exchange
        self.reads = reads
    }

    /// Sends the changes of the round.
    func distribute() {
        for room in table.takeDirty() { room.distribute() }
    }

    private func isDirty(_ room: RegionRoom) {
        table.mark(room)
        onDirty()
    }

    /// Removes a session's live region.
    func remove(_ subscription: RegionSubscription) {
        if let room = subscription.room {
            room.remove(subscription)
            table.removeIfEmpty(room)
        }
        if case .people(let user) = subscription.subject {
            people?.remove(subscription, of: user)
            removePeopleIfIdle()
        }
    }

    // MARK: Objects

    /// Admits a subscription to objects for a caller, or refuses it.
    func admit(_ subscription: RegionSubscription, as caller: Result<ObjectCaller, SharingError>) {
        do throws(SharingError) {
            subscription.caller = try caller.get()
            room(over: try index(for: subscription)).add(subscription)
        } catch {
            subscription.session.refuse(subscription, error)
        }
    }

    /// Ends the live regions of an entity that is gone, or that their owners may no longer see.
    func definitionChanged(of entity: EntityName) {
        for room in table.rooms.values {
            for subscription in room.subscriptions where subscription.isOf(entity) {
                do throws(SharingError) {
                    let index = try index(for: subscription)
                    guard ObjectIdentifier(index) != room.key else { continue }
                    throw .unknownEntity
                } catch {
                    subscription.session.refuse(subscription, error)
                }
            }
        }
    }

    /// The index that a subscription watches.
    ///
    /// - Throws: `unknownEntity` if the viewer may no longer read the entity, or the error of a location field that no
    ///   longer exists.
    private func index(for subscription: RegionSubscription) throws(SharingError) -> ObjectIndex {
        guard case .objects(let name) = subscription.subject, let catalog = exchange.catalog else {
            throw .unknownEntity
        }
        let entry = try catalog.entry(name, for: subscription.caller)
        subscription.field = try entry.entity.locationField(subscription.field).name
        return entry.index
    }

    private func room(over index: ObjectIndex) -> RegionRoom {
        table.room(over: index) { key in
            let box = RegionRoomBox()
            let bound = NIOLoopBound(box, eventLoop: eventLoop)
            let feed = ObjectFeed(index) { [eventLoop] in
                eventLoop.execute { bound.value.room?.stir() }
            }
            let room = RegionRoom(key: key, source: feed) { [unowned self] in isDirty($0) }
            box.room = room
            return room
        }
    }

    // MARK: People

    /// The map of people, created if there is none.
    func peopleToWatch() -> PeopleFeed {
        let feed = people ?? PeopleFeed(regions: self, exchange: exchange, reads: reads)
        people = feed
        return feed
    }

    /// The room over a map of people, created if there is none.
    func room(over people: PeopleFeed) -> RegionRoom {
        table.room(over: people) { key in
            RegionRoom(key: key, source: people) { [unowned self] in isDirty($0) }
        }
    }

    /// Removes the map of people when it has no viewer and no read under way.
    func removePeopleIfIdle() {
        if people?.isIdle ?? false { people = nil }
    }
}

/// A reference from a source to its room, which is created after the source.
private final class RegionRoomBox {
    weak var room: RegionRoom?
}

extension RegionSubscription {
    fileprivate func isOf(_ entity: EntityName) -> Bool {
        switch subject {
        case .objects(let name): name == entity
        case .people: false
        }
    }
}
