import TestSupport
import Testing
import YonderModel
import YonderRules

@Suite struct ObjectGlanceTests {
    private let values: [FieldName: FieldValue] = [
        ObjectSamples.field("name"): .text(#"a "quoted" \ name, {with} [brackets]"#),
        ObjectSamples.field("rating"): .number(-4.5),
        ObjectSamples.field("opened"): .date(ObjectSamples.time),
        ObjectSamples.field("closed"): .boolean(true),
        ObjectSamples.field("more"): ObjectSamples.json(#"{"name":["}",{"rating":"\\"}],"at": 1 }"#),
        ObjectSamples.field("near"): .reference(ObjectSamples.id(7)),
        ObjectSamples.field("at"): ObjectSamples.location(1, -2, #"Main Street "1", {x}"#),
    ]
    private let entity = ObjectSamples.stored(ObjectSamples.places)

    private func record(_ fields: [FieldName: FieldValue]) -> ObjectRecord {
        let time = ObjectSamples.time
        return ObjectRecord(
            Object(id: ObjectSamples.id(1), entity: entity.name, created: time, updated: time, fields: fields)
        )
    }

    /// One of the 128 subsets.
    private func names(_ number: Int) -> Set<FieldName> {
        let all = values.keys.sorted()
        return Set(all.indices.filter { number >> $0 & 1 == 1 }.map { all[$0] })
    }

    @Test func `a glance at some fields sees what reading all of them sees there`() throws {
        for present in 0..<128 {
            let fields = values.filter { names(present).contains($0.key) }
            let record = record(fields)
            for wanted in 0..<128 {
                let glance = try record.glance(at: entity.fields(named: names(wanted)))
                #expect(glance.fields == fields.filter { names(wanted).contains($0.key) })
                #expect(glance.id == record.id && glance.updated == record.updated)
            }
        }
    }

    @Test func `a glance at fields that were cut off reads nothing behind their end`() {
        let whole = record(values)
        let fields = entity.fields(named: Set(values.keys))
        for length in 0..<whole.fields.count {
            let cut = ObjectRecord(
                id: whole.id,
                entity: whole.entity,
                created: whole.created,
                updated: whole.updated,
                coordinate: nil,
                fields: Array(whole.fields.prefix(length))
            )
            let glance = try? cut.glance(at: fields)
            #expect(glance?.fields != values || length == whole.fields.count - 1)
        }
    }

    @Test func `criteria and orders say which fields they look at`() {
        let (name, rating) = (ObjectSamples.field("name"), ObjectSamples.field("rating"))
        let criteria = !ObjectCriteria.where(.field(name), .exists) || .where(.created, .exists)
        #expect((criteria && .where(.field(rating), .exists)).fields == [name, rating])
        #expect(ObjectCriteria.all.fields.isEmpty)
        #expect(ObjectOrder([.init(.field(rating)), .init(.id)]).fields == [rating])
    }
}
