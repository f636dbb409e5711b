import NIOCore
import YonderModel
import YonderObjects
import YonderWire

/// Live regions: who may have one, and who no longer.
extension HubLoop {
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
        for room in regions.rooms.values {
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
        regions.room(over: index) { key in
            let box = RegionRoomBox()
            let bound = NIOLoopBound(box, eventLoop: eventLoop)
            let feed = ObjectFeed(index) { [eventLoop] in
                eventLoop.execute { bound.value.room?.stir() }
            }
            let room = RegionRoom(key: key, source: feed) { [unowned self] in regionsAreDirty($0) }
            box.room = room
            return room
        }
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
