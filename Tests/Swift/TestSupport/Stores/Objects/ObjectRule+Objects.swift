import Testing
import YonderGeodesy
import YonderModel
import YonderRules

extension ObjectRule {
    static let writing = [
        ObjectRule("an object is there once it was made, with all its values") { town in
            try await town.define()
            var random = SeededGenerator(seed: 1)
            for number in 1...20 {
                var fields = ObjectSamples.fields(of: town.places, using: &random)
                fields[town.near] = nil
                let made = try #require(try await town.store.change(town.submission(.create(fields))).after)
                #expect(made.fields == fields)
                #expect(made.created == town.now && made.updated == town.now)
                #expect(try await town.object(made.id) == made)
                #expect(try await town.count() == number)
            }
        },
        ObjectRule("a creation that comes again makes one object") { town in
            try await town.define()
            let creation = town.submission(.create([town.name: .text("a")], id: ObjectSamples.id(7)))
            let made = try #require(try await town.store.change(creation).after)
            #expect(made.id == ObjectSamples.id(7))
            let renamed = try await town.change(made.id, [town.name: .text("b")]).after
            #expect(try await town.store.change(creation) == ObjectChange(before: renamed, after: renamed))
            #expect(try await town.all() == [renamed].compactMap(\.self))
            #expect(try await town.count() == 1)
        },
        ObjectRule("an id of another object is refused to a new one, of whatever entity that is") { town in
            try await town.define()
            let benches = EntityDefinition(ObjectSamples.entity("bench"), fields: [])
            _ = try await town.store.createEntity(benches, by: .owner, at: town.now)
            let made = try await town.make("a")
            for entity in [town.places.name, benches.name] {
                let creation = ObjectSubmission(
                    entity: entity,
                    caller: .owner,
                    action: .create(made.fields, id: made.id),
                    time: town.now + .milliseconds(1)
                )
                await expectRefusal(.nameTaken) { try await town.store.change(creation) }
            }
            #expect(try await town.all() == [made])
        },
        ObjectRule("a change sets and empties the fields it names and leaves the others") { town in
            try await town.define()
            let object = try await town.make(
                "a",
                [town.rating: .number(4), town.at: ObjectSamples.location(1, 2)]
            )
            let change = try await town.change(object.id, [town.name: .text("b"), town.rating: .none])
            #expect(change.before == object)
            let after = try #require(change.after)
            #expect(after.fields == [town.name: .text("b"), town.at: ObjectSamples.location(1, 2)])
            #expect(after.created == object.created && after.updated > object.updated)
            #expect(try await town.object(object.id) == after)
            #expect(try await town.count() == 1)
        },
        ObjectRule("a change that changes nothing leaves the object as it was") { town in
            try await town.define()
            let object = try await town.make("a")
            let change = try await town.change(object.id, [town.name: .text("a"), town.rating: .none])
            #expect(change == ObjectChange(before: object, after: object))
            #expect(try await town.object(object.id) == object)
        },
        ObjectRule("texts that differ in bytes alone are different") { town in
            try await town.define()
            let object = try await town.make("caf\u{E9}")
            try await town.change(object.id, [town.name: .text("cafe\u{301}")])
            let found = try await town.object(object.id)
            guard case .text(let text)? = found.fields[town.name] else { Issue.record("no text"); return }
            #expect(Array(text.utf8) == Array("cafe\u{301}".utf8))
            #expect(found.updated > object.updated)
        },
        ObjectRule("a change with an older version is refused") { town in
            try await town.define()
            let object = try await town.make("a")
            let second = try #require(
                try await town.change(object.id, [town.rating: .number(1)], ifUpdated: object.updated).after
            )
            await expectRefusal(.objectChanged) {
                try await town.change(object.id, [town.rating: .number(2)], ifUpdated: object.updated)
            }
            await expectRefusal(.objectChanged) {
                try await town.delete(object.id, ifUpdated: object.updated)
            }
            #expect(try await town.object(object.id) == second)
            try await town.delete(object.id, ifUpdated: second.updated)
        },
        ObjectRule("an object that was deleted is gone") { town in
            try await town.define()
            let (object, other) = (try await town.make("a"), try await town.make("b"))
            #expect(try await town.delete(object.id) == ObjectChange(before: object, after: nil))
            await expectRefusal(.unknownObject) { try await town.object(object.id) }
            await expectRefusal(.unknownObject) { try await town.delete(object.id) }
            await expectRefusal(.unknownObject) { try await town.change(object.id, [:]) }
            #expect(try await town.all() == [other])
            #expect(try await town.count() == 1)
        },
        ObjectRule("only owners write objects") { town in
            try await town.define()
            let object = try await town.make("a")
            let actions: [ObjectSubmission.Action] = [
                .create(object.fields), .change(object.id, [:]), .delete(object.id),
            ]
            for action in actions {
                await expectRefusal(.notAllowed) {
                    try await town.store.change(town.submission(action, by: .member))
                }
            }
            #expect(try await town.all() == [object])
        },
        ObjectRule("of many submissions at once the bad ones are refused and the others kept") { town in
            try await town.define()
            let submissions = (0..<10).map { number in
                town.submission(.create(number % 3 == 0 ? [:] : [town.name: .text("\(number)")]))
            }
            let results = await withCheckedContinuation { continuation in
                town.store.change(submissions) { continuation.resume(returning: $0) }
            }
            let kept = results.compactMap { try? $0.get().after }
            #expect(results.map { $0.isRefused } == (0..<10).map { $0 % 3 == 0 })
            #expect(try await town.all() == kept)
            #expect(try await town.count() == 6)
        },
        ObjectRule("a bad value refuses the whole change") { town in
            try await town.define()
            let object = try await town.make("a")
            await expectRefusal(.invalidField) {
                try await town.change(object.id, [town.name: .text("b"), town.rating: .text("high")])
            }
            await expectRefusal(.missingField) { try await town.change(object.id, [town.name: .none]) }
            await expectRefusal(.unknownField) {
                try await town.change(object.id, [ObjectSamples.field("color"): .text("red")])
            }
            #expect(try await town.object(object.id) == object)
        },
    ]

    static let references = [
        ObjectRule("a reference needs an object of its entity") { town in
            try await town.define()
            let benches = EntityDefinition(ObjectSamples.entity("bench"), fields: [])
            try await town.define(benches)
            let bench = try await town.store.change(town.submission(.create([:]), in: benches.name))
            let benchID = try #require(bench.after?.id)
            for target in [benchID, .random()] {
                await expectRefusal(.unknownReference) {
                    try await town.make("a", [town.near: .reference(target)])
                }
            }
            #expect(try await town.count() == 0)
            let first = try await town.make("a")
            let second = try await town.make("b", [town.near: .reference(first.id)])
            #expect(try await town.object(second.id).references == [first.id])
        },
        ObjectRule("an object that another one refers to stays until that one lets go") { town in
            try await town.define()
            let first = try await town.make("a")
            let second = try await town.make("b", [town.near: .reference(first.id)])
            let third = try await town.make("c", [town.near: .reference(first.id)])
            await expectRefusal(.objectInUse) { try await town.delete(first.id) }
            try await town.delete(second.id)
            await expectRefusal(.objectInUse) { try await town.delete(first.id) }
            try await town.change(third.id, [town.near: .none])
            try await town.delete(first.id)
            await expectRefusal(.unknownReference) {
                try await town.change(third.id, [town.near: .reference(first.id)])
            }
        },
        ObjectRule("an object that refers to itself can be deleted") { town in
            try await town.define()
            let object = try await town.make("a")
            try await town.change(object.id, [town.near: .reference(object.id)])
            try await town.delete(object.id)
            #expect(try await town.all() == [])
        },
        ObjectRule("an object in one batch may be referred to and deleted in the next") { town in
            try await town.define()
            let first = try await town.make("a")
            let submissions = [
                town.submission(.create([town.name: .text("b"), town.near: .reference(first.id)])),
                town.submission(.delete(first.id)),
            ]
            let results = await withCheckedContinuation { continuation in
                town.store.change(submissions) { continuation.resume(returning: $0) }
            }
            #expect(results.map(\.isRefused) == [false, true])
        },
    ]
}

extension Result {
    var isRefused: Bool {
        guard case .failure = self else { return false }
        return true
    }
}
