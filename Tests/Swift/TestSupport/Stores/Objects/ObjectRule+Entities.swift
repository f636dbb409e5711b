import Testing
import YonderGeodesy
import YonderModel
import YonderRules

extension ObjectRule {
    static let entities = [
        ObjectRule("an entity is there once it was made, and listed by name") { town in
            let made = try await town.define()
            let other = try await town.define(EntityDefinition(ObjectSamples.entity("bench"), fields: []))
            #expect(made == ObjectSamples.stored(town.places))
            #expect(try await town.store.entity(town.places.name, for: .owner) == made)
            #expect(try await town.store.entities(for: .owner) == [other, made])
        },
        ObjectRule("two entities can't have one name") { town in
            try await town.define()
            await expectRefusal(.entityExists) { try await town.define() }
        },
        ObjectRule("only owners make, change and delete entities") { town in
            await expectRefusal(.notAllowed) {
                try await town.store.createEntity(town.places, by: .member, at: town.now)
            }
            try await town.define()
            await expectRefusal(.notAllowed) {
                try await town.store.changeEntity(town.places, by: .member, at: town.now)
            }
            await expectRefusal(.notAllowed) {
                try await town.store.deleteEntity(town.places.name, by: .member)
            }
            await expectRefusal(.unknownEntity) {
                try await town.store.deleteEntity(town.places.name, by: .anyone)
            }
        },
        ObjectRule("a caller who may not read an entity finds none of its objects") { town in
            for (readers, blind) in [
                (EntityReaders.anyone, []), (.members, [ObjectCaller.anyone]), (.owners, [.anyone, .member]),
            ] {
                var definition = town.places
                definition.readers = readers
                try await town.define(definition)
                let object = try await town.make("a")
                for caller in ObjectCaller.allCases {
                    try await expectSight(of: object, town, caller, blind.contains(caller))
                }
                try await town.store.deleteEntity(definition.name, by: .owner)
            }
        },
        ObjectRule("an entity that is deleted takes its objects along, and its name is free") { town in
            try await town.define()
            let object = try await town.make("a")
            for number in 0..<5 { try await town.make("\(number)", [town.near: .reference(object.id)]) }
            try await town.store.deleteEntity(town.places.name, by: .owner)
            await expectRefusal(.unknownEntity) { try await town.object(object.id) }
            await expectRefusal(.unknownEntity) {
                try await town.store.deleteEntity(town.places.name, by: .owner)
            }
            #expect(try await town.define().count == 0)
            #expect(try await town.all() == [])
            await expectRefusal(.unknownObject) { try await town.object(object.id) }
        },
        ObjectRule("an entity that another one refers to can't be deleted") { town in
            try await town.define()
            let route = ObjectSamples.entity("route")
            let start = Field(ObjectSamples.field("start"), .reference(to: town.places.name))
            try await town.define(EntityDefinition(route, fields: [start]))
            await expectRefusal(.entityInUse) {
                try await town.store.deleteEntity(town.places.name, by: .owner)
            }
            try await town.store.deleteEntity(route, by: .owner)
            try await town.store.deleteEntity(town.places.name, by: .owner)
        },
        ObjectRule("a reference needs an entity to refer to") { town in
            let nowhere = Field(ObjectSamples.field("x"), .reference(to: ObjectSamples.entity("nothing")))
            await expectRefusal(.unknownReference) {
                try await town.define(EntityDefinition(ObjectSamples.entity("route"), fields: [nowhere]))
            }
            let entities = try await town.store.entities(for: .owner)
            #expect(entities.isEmpty)
        },
    ]

    static let schemas = [
        ObjectRule("fields come along at any time, and objects may fill them") { town in
            try await town.define()
            let object = try await town.make("a")
            var wider = town.places
            wider.fields.insert(Field(ObjectSamples.field("phone"), .text), at: 0)
            let entity = try await town.store.changeEntity(wider, by: .owner, at: town.now)
            #expect(entity.definition == wider)
            #expect(entity.updated > town.now)
            #expect(entity.count == 1)
            #expect(try await town.object(object.id) == object)
            try await town.change(object.id, [ObjectSamples.field("phone"): .text("1")])
            #expect(try await town.object(object.id).fields[ObjectSamples.field("phone")] == .text("1"))
        },
        ObjectRule("a field's type and removal can change only while there are no objects") { town in
            try await town.define()
            let object = try await town.make("a")
            var narrower = town.places
            narrower.fields.removeLast()
            await expectRefusal(.entityInUse) {
                try await town.store.changeEntity(narrower, by: .owner, at: town.now)
            }
            #expect(try await town.store.entity(town.places.name, for: .owner).definition == town.places)
            try await town.delete(object.id)
            let changed = try await town.store.changeEntity(narrower, by: .owner, at: town.now)
            #expect(changed.definition == narrower)
        },
        ObjectRule("readers change at any time") { town in
            try await town.define()
            let object = try await town.make("a")
            var open = town.places
            open.readers = .anyone
            _ = try await town.store.changeEntity(open, by: .owner, at: town.now)
            #expect(try await town.store.object(object.id, of: open.name, for: .anyone) == object)
        },
    ]

    private static func expectSight(
        of object: Object,
        _ town: ObjectTown,
        _ caller: ObjectCaller,
        _ isBlind: Bool
    ) async throws {
        let (store, entity) = (town.store, town.places.name)
        #expect(try await store.entities(for: caller).isEmpty == isBlind)
        guard isBlind else {
            #expect(try await store.object(object.id, of: entity, for: caller) == object)
            #expect(try await store.objects(ObjectQuery(entity), for: caller).objects == [object])
            return
        }
        await expectRefusal(.unknownEntity) { try await store.entity(entity, for: caller) }
        await expectRefusal(.unknownEntity) { try await store.object(object.id, of: entity, for: caller) }
        await expectRefusal(.unknownEntity) { try await store.objects([object.id], of: entity, for: caller) }
        await expectRefusal(.unknownEntity) { try await store.objects(ObjectQuery(entity), for: caller) }
        await expectRefusal(.unknownEntity) {
            try await store.change(town.submission(.delete(object.id), by: caller))
        }
    }
}
