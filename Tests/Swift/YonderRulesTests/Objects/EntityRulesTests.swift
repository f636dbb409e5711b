import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

struct EntityRulesTests {
    private let now = ObjectSamples.time
    private let name = ObjectSamples.entity("place")
    private let title = ObjectSamples.field("title")

    @Test(arguments: ["a", "Place", "a-b_C9", String(repeating: "x", count: 64)])
    func `a name of letters, digits, lines and a letter first is one`(text: String) {
        #expect(EntityName(text)?.description == text)
    }

    @Test(arguments: [
        "", "9a", "_a", "-a", "a b", "a.b", "a#", "é", "a/b", "a\0", String(repeating: "x", count: 65),
    ])
    func `anything else is no name`(text: String) {
        #expect(FieldName(text) == nil)
    }

    @Test func `members read an entity unless its owner says otherwise`() {
        let entity = ObjectSamples.stored(EntityDefinition(name, fields: []))
        #expect(ObjectCaller.allCases.filter(entity.mayBeRead) == [.member, .owner])
    }

    @Test(arguments: ["id", "created", "updated"])
    func `the names of built-in values are no field names`(reserved: String) throws {
        let field = Field(try #require(FieldName(reserved)), .text)
        expect(.invalidField) { () throws(SharingError) in try EntityDefinition(name, fields: [field]).check()
        }
    }

    @Test func `a field stands once, and there is one location`() {
        let twice = [Field(title, .text), Field(title, .number)]
        expect(.invalidField) { () throws(SharingError) in try EntityDefinition(name, fields: twice).check() }
        let places = [Field(title, .location), Field(ObjectSamples.field("end"), .location)]
        expect(.invalidField) { () throws(SharingError) in try EntityDefinition(name, fields: places).check()
        }
    }

    @Test func `an entity has at most 64 fields, and a server at most 256 entities`() throws {
        let fields = try (0..<65).map { Field(try #require(FieldName("f\($0)")), .text) }
        expect(.tooMany) { () throws(SharingError) in try EntityDefinition(name, fields: fields).check() }
        try EntityDefinition(name, fields: Array(fields.dropLast())).check()

        var entities: [EntityName: Entity] = [:]
        for number in 0..<256 {
            let other = try #require(EntityName("e\(number)"))
            entities[other] = ObjectSamples.stored(EntityDefinition(other, fields: []))
        }
        let all = entities
        expect(.tooMany) { () throws(SharingError) in
            try EntityRules.create(EntityDefinition(name, fields: []), by: .owner, among: all, at: now)
        }
    }

    @Test func `an entity may refer to itself and to others that are there`() throws {
        let fields = [Field(title, .reference(to: name))]
        let definition = EntityDefinition(name, fields: fields)
        let entity = try EntityRules.create(definition, by: .owner, among: [:], at: now)
        let other = EntityDefinition(ObjectSamples.entity("route"), fields: fields)
        _ = try EntityRules.create(other, by: .owner, among: [name: entity], at: now)
        expect(.unknownReference) { () throws(SharingError) in
            try EntityRules.create(other, by: .owner, among: [:], at: now)
        }
    }

    @Test func `with objects in it fields are added, reordered and made optional, and no more`() throws {
        let old = [Field(title, .text, isRequired: true), Field(ObjectSamples.field("b"), .number)]
        let extra = ObjectSamples.field("c")
        let allowed = [
            old, old.reversed(), old + [Field(extra, .location)], [Field(title, .text), old[1]],
        ]
        let refused = [
            [], [old[0]], [Field(title, .json, isRequired: true), old[1]],
            [old[0], Field(old[1].name, .number, isRequired: true)],
            old + [Field(extra, .text, isRequired: true)],
            [old[0], Field(old[1].name, .reference(to: name))],
        ]
        for fields in allowed + refused {
            for count in [0, 1] {
                let result = outcome(of: fields, from: old, count: count)
                let isAllowed = count == 0 || allowed.contains(fields)
                #expect(result == (isAllowed ? nil : .entityInUse), "\(fields), \(count)")
            }
        }
    }

    private func outcome(of fields: [Field], from old: [Field], count: Int) -> SharingError.Code? {
        let entity = ObjectSamples.stored(EntityDefinition(name, fields: old), count: count)
        do throws(SharingError) {
            let definition = EntityDefinition(name, fields: fields)
            let changed = try EntityRules.change(definition, by: .owner, among: [name: entity], at: now)
            #expect(changed.definition == definition && changed.count == count)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `a definition reads what it writes`() throws {
        var definition = ObjectSamples.places
        for readers in EntityReaders.allCases {
            definition.readers = readers
            let entity = ObjectSamples.stored(definition, count: 3)
            #expect(try Entity(json: entity.json) == entity)
        }
        let text = #"{"name":"place","fields":[{"name":"title","type":"text","required":true}]}"#
        let read = try EntityDefinition(json: Array(text.utf8))
        #expect(read == EntityDefinition(name, fields: [Field(title, .text, isRequired: true)]))
    }

    @Test func `an entity is written as documented`() {
        let fields = [
            Field(title, .text, isRequired: true), Field(ObjectSamples.field("by"), .reference(to: name)),
        ]
        let entity = ObjectSamples.stored(EntityDefinition(name, fields: fields), count: 2)
        let expected = """
            {"name":"place","readers":"members","fields":[{"name":"title","type":"text","required":true},\
            {"name":"by","type":"reference","entity":"place"}],"count":2,"created":1700000000000,\
            "updated":1700000000000}
            """
        #expect(String(decoding: entity.json, as: UTF8.self) == expected)
    }

    @Test(arguments: [
        ("{", "invalidJSON"), ("[]", "invalidFrame"), ("{}", "missingField"),
        (#"{"name":"a"}"#, "missingField"),
        (#"{"name":"a","fields":{}}"#, "invalidField"), (#"{"name":"9","fields":[]}"#, "invalidField"),
        (#"{"name":"a","fields":[],"x":1}"#, "unknownField"),
        (#"{"name":"a","fields":[],"readers":"all"}"#, "invalidField"),
        (#"{"name":"a","fields":[1]}"#, "invalidFrame"),
        (#"{"name":"a","fields":[{"name":"b"}]}"#, "missingField"),
        (#"{"name":"a","fields":[{"name":"b","type":"blob"}]}"#, "invalidField"),
        (#"{"name":"a","fields":[{"name":"b","type":"reference"}]}"#, "missingField"),
        (#"{"name":"a","fields":[{"name":"b","type":"text","entity":"c"}]}"#, "invalidField"),
        (#"{"name":"a","fields":[{"name":"b","type":"text","required":1}]}"#, "invalidField"),
        (#"{"name":"a","fields":[{"name":"id","type":"text"}]}"#, "invalidField"),
    ])
    func `a bad definition is refused with its code`(text: String, code: String) {
        expect(SharingError.Code(code)) { () throws(SharingError) in
            try EntityDefinition(json: Array(text.utf8))
        }
    }
}
