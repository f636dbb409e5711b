import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

struct ObjectRulesTests {
    private let entity = ObjectSamples.stored(ObjectSamples.places)
    private let name = ObjectSamples.field("name")
    private let rating = ObjectSamples.field("rating")

    private func decide(
        _ action: ObjectSubmission.Action,
        in entity: Entity? = ObjectSamples.stored(ObjectSamples.places),
        object: Object? = nil,
        targets: [ObjectID: EntityName] = [:],
        isReferenced: Bool = false,
        isTaken: Bool = false,
        at time: Timestamp = ObjectSamples.time
    ) throws(SharingError) -> ObjectRules.Decision {
        let submission = ObjectSubmission(
            entity: ObjectSamples.places.name,
            caller: .owner,
            action: action,
            time: time
        )
        let surroundings = ObjectRules.Surroundings(
            object: object,
            isTaken: isTaken,
            targets: targets,
            isReferenced: isReferenced
        )
        return try ObjectRules.decide(submission, in: entity, surroundings)
    }

    private func create(_ fields: [FieldName: FieldValue]) throws(SharingError) -> ObjectRules.Decision {
        try decide(.create(fields.merging([name: .text("a")]) { given, _ in given }, id: ObjectSamples.id(7)))
    }

    private func object(_ fields: [FieldName: FieldValue] = [:]) throws -> Object {
        try #require(try create(fields).change.after)
    }

    @Test func `every type takes its own values and refuses all others`() throws {
        var random = SeededGenerator(seed: 3)
        for field in entity.definition.fields where field.type.name != "reference" {
            for other in entity.definition.fields where other.type.name != "reference" {
                for _ in 0..<5 {
                    let value = try #require(ObjectSamples.value(other.type, using: &random))
                    if field == other {
                        #expect(try create([field.name: value]).change.after?.fields[field.name] == value)
                    } else {
                        expect(.invalidField) { () throws(SharingError) in try create([field.name: value]) }
                    }
                }
            }
        }
    }

    @Test func `a creation that comes again makes one object, and is answered with the object as it is now`()
        throws
    {
        let first = try object()
        let again = try decide(.create([name: .text("a")], id: first.id), object: first)
        #expect(again.change == ObjectChange(before: first, after: first))
        #expect(!again.isChange)
    }

    @Test func `an id of another object is refused to a new one`() throws {
        let other = try object()
        expect(.nameTaken) { () throws(SharingError) in
            try decide(.create([:], id: other.id), object: other, at: ObjectSamples.time + .milliseconds(1))
        }
        expect(.nameTaken) { () throws(SharingError) in try decide(.create([:]), isTaken: true) }
    }

    @Test func `a field that the entity doesn't have is refused, even to empty it`() throws {
        let color = ObjectSamples.field("color")
        expect(.unknownField) { () throws(SharingError) in try create([color: .text("red")]) }
        let object = try object()
        expect(.unknownField) { () throws(SharingError) in
            try decide(.change(object.id, [color: .none]), object: object)
        }
    }

    @Test func `a required field must have a value, at creation and after every change`() throws {
        expect(.missingField) { () throws(SharingError) in try decide(.create([:])) }
        let object = try object()
        expect(.missingField) { () throws(SharingError) in
            try decide(.change(object.id, [name: .none]), object: object)
        }
    }

    @Test func `numbers are finite, and dates within all calendars`() {
        for number in [Double.nan, .infinity, -.infinity] {
            expect(.invalidField) { () throws(SharingError) in try create([rating: .number(number)]) }
        }
        for date in [Int64.min, .max, 8_640_000_000_000_001] {
            expect(.invalidField) { () throws(SharingError) in
                try create([ObjectSamples.field("opened"): .date(Timestamp(milliseconds: date))])
            }
        }
    }

    @Test func `texts, JSON and whole objects have their greatest size`() throws {
        func text(_ count: Int) -> FieldValue { .text(String(repeating: "x", count: count)) }
        func json(_ count: Int) -> FieldValue {
            ObjectSamples.json("\"\(String(repeating: "x", count: count - 2))\"")
        }
        let more = ObjectSamples.field("more")
        _ = try create([name: text(16_384)])
        expect(.tooLarge) { () throws(SharingError) in try create([name: text(16_385)]) }
        _ = try create([more: json(32_768)])
        expect(.tooLarge) { () throws(SharingError) in try create([more: json(32_769)]) }

        let wide = EntityDefinition(
            entity.name,
            fields: try (0..<5).map { Field(try #require(FieldName("f\($0)")), .text) }
        )
        var fields = Dictionary(uniqueKeysWithValues: wide.fields.map { ($0.name, text(16_384)) })
        expect(.tooLarge) { () throws(SharingError) in
            try decide(.create(fields), in: ObjectSamples.stored(wide))
        }
        // The braces, four commas, and for each field its name, its quotes and the colon.
        fields[wide.fields[4].name] = nil
        fields[wide.fields[3].name] = text(65_536 - 3 * 16_384 - 2 - 3 - 4 * 7)
        let greatest = try decide(.create(fields), in: ObjectSamples.stored(wide))
        #expect(greatest.change.record?.fields.count == 65_536)
        fields[wide.fields[3].name] = text(65_536 - 3 * 16_384 - 2 - 3 - 4 * 7 + 1)
        expect(.tooLarge) { () throws(SharingError) in
            try decide(.create(fields), in: ObjectSamples.stored(wide))
        }
    }

    @Test func `an entity that is full takes no more, but lets its objects change and go`() throws {
        let full = ObjectSamples.stored(ObjectSamples.places, count: Entity.objectLimit)
        expect(.tooMany) { () throws(SharingError) in try decide(.create([name: .text("a")]), in: full) }
        let object = try object()
        _ = try decide(.change(object.id, [name: .text("b")]), in: full, object: object)
        _ = try decide(.delete(object.id), in: full, object: object)
    }

    @Test func `a reference goes to an object of its entity`() throws {
        let (near, target) = (ObjectSamples.field("near"), ObjectSamples.id(9))
        let action = ObjectSubmission.Action.create([name: .text("a"), near: .reference(target)])
        _ = try decide(action, targets: [target: entity.name])
        for targets in [[:], [target: ObjectSamples.entity("bench")], [ObjectSamples.id(8): entity.name]] {
            expect(.unknownReference) { () throws(SharingError) in try decide(action, targets: targets) }
        }
    }

    @Test func `two versions of an object never have the same time`() throws {
        let first = try object()
        let action = ObjectSubmission.Action.change(first.id, [rating: .number(1)])
        for time in [first.updated, first.updated - .seconds(5)] {
            let second = try #require(try decide(action, object: first, at: time).change.after)
            #expect(second.updated == first.updated + .milliseconds(1))
            #expect(second.created == first.created)
        }
    }

    @Test func `a change of a missing or changed object is refused`() throws {
        let object = try object()
        let early = object.updated - .milliseconds(1)
        for action in [ObjectSubmission.Action.change(object.id, [:]), .delete(object.id)] {
            expect(.unknownObject) { () throws(SharingError) in try decide(action) }
            expect(.unknownEntity) { () throws(SharingError) in try decide(action, in: nil) }
        }
        for action in [
            ObjectSubmission.Action.change(object.id, [:], ifUpdated: early),
            .delete(object.id, ifUpdated: early),
        ] {
            expect(.objectChanged) { () throws(SharingError) in try decide(action, object: object) }
        }
        expect(.objectInUse) { () throws(SharingError) in
            try decide(.delete(object.id), object: object, isReferenced: true)
        }
    }

    @Test func `a refused change says nothing of what would have been`() throws {
        let object = try object([rating: .number(1)])
        let same = try decide(.change(object.id, [rating: .number(1)]), object: object)
        #expect(!same.isChange && same.change.after == object)
    }

    @Test func `a location is rounded, and what is out of bounds is none`() throws {
        let coordinate = try #require(Coordinate(latitude: 52.520_006_64, longitude: 13.404_954_06))
        let location = try #require(ObjectLocation(coordinate))
        #expect(location.coordinate == Coordinate.Rounded(latitude: 525_200_066, longitude: 134_049_541))
        #expect(ObjectLocation(address: "") == nil)
        #expect(ObjectLocation(address: "a\nb") == nil)
        #expect(ObjectLocation(address: String(repeating: "x", count: 1_001)) == nil)
        #expect(ObjectLocation(address: String(repeating: "x", count: 1_000)) != nil)
        #expect(ObjectLocation(coordinate, altitude: Distance(meters: -100_001)) == nil)
        #expect(ObjectLocation(address: "x")?.coordinate == nil)
    }
}
