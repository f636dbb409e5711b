import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

struct ObjectCriteriaTests {
    private let entity = ObjectSamples.stored(ObjectSamples.places)
    private let name = ObjectKey.field(ObjectSamples.field("name"))
    private let rating = ObjectKey.field(ObjectSamples.field("rating"))

    private func object(_ fields: [FieldName: FieldValue]) -> Object {
        Object(
            id: ObjectSamples.id(1),
            entity: entity.name,
            created: ObjectSamples.time,
            updated: ObjectSamples.time,
            fields: fields
        )
    }

    /// An ordered key and a value to compare with.
    private func operand(using random: inout SeededGenerator) throws -> (ObjectKey, FieldValue) {
        let keys: [ObjectKey] = ["name", "rating", "opened", "closed", "near", "id", "created", "updated"]
            .compactMap(ObjectKey.init)
        let key = try #require(keys.randomElement(using: &random))
        return (key, try #require(ObjectSamples.value(try key.type(in: entity), using: &random)))
    }

    @Test func `of less, equal and greater exactly one holds where there is a value, and none where not`()
        throws
    {
        for seed in UInt64(0)..<2_000 {
            var random = SeededGenerator(seed: seed)
            let object = ObjectSamples.object(using: &random)
            let (key, value) = try operand(using: &random)
            let tests: [ObjectCondition.Test] = [.less(value), .equals(value), .greater(value)]
            let holding = tests.map { ObjectCondition(key, $0).matches(object) }
            #expect(holding.count(where: \.self) == (key.value(in: object) == nil ? 0 : 1), "seed \(seed)")
            #expect(ObjectCondition(key, .atMost(value)).matches(object) == (holding[0] || holding[1]))
            #expect(ObjectCondition(key, .atLeast(value)).matches(object) == (holding[1] || holding[2]))
        }
    }

    @Test func `operators are those of logic`() throws {
        for seed in UInt64(0)..<500 {
            var random = SeededGenerator(seed: seed)
            let object = ObjectSamples.object(using: &random)
            let (left, right) = (try operand(using: &random), try operand(using: &random))
            let one = ObjectCriteria.where(left.0, .atMost(left.1))
            let other = ObjectCriteria.where(right.0, .greater(right.1))
            let (first, second) = (one.matches(object), other.matches(object))
            #expect((one && other).matches(object) == (first && second))
            #expect((one || other).matches(object) == (first || second))
            #expect((!one).matches(object) == !first)
            #expect(ObjectCriteria.all(of: [one, other, .all]).matches(object) == (first && second))
        }
        #expect(ObjectCriteria.all(of: []) == .all)
    }

    @Test func `sorting agrees with comparing, puts what has no value last and leaves no two in one place`()
        throws
    {
        for seed in UInt64(0)..<300 {
            var random = SeededGenerator(seed: seed)
            var objects: [Object] = []
            for number in 0..<12 {
                let some = ObjectSamples.object(using: &random)
                objects.append(
                    Object(
                        id: ObjectSamples.id(Int64(number)),
                        entity: some.entity,
                        created: some.created,
                        updated: some.updated,
                        fields: some.fields
                    )
                )
            }
            let (key, _) = try operand(using: &random)
            let isDescending = Bool.random(using: &random)
            let order = ObjectOrder([.init(key, isDescending: isDescending)])
            let sorted = objects.shuffled(using: &random).sorted(by: order.isBefore)
            #expect(sorted == objects.shuffled(using: &random).sorted(by: order.isBefore), "seed \(seed)")
            for (left, right) in zip(sorted, sorted.dropFirst()) {
                guard let value = key.value(in: right) else { continue }
                let test: ObjectCondition.Test = isDescending ? .atLeast(value) : .atMost(value)
                #expect(ObjectCondition(key, test).matches(left), "seed \(seed)")
            }
        }
    }

    @Test func `text is sorted without regard to case, and then by its bytes`() {
        let names = ["b", "a", "B", "A", "aa", "Äb", "äa"]
        let objects = names.map { object([ObjectSamples.field("name"): .text($0)]) }
        let order = ObjectOrder([.init(name)])
        let sorted = objects.sorted(by: order.isBefore).map { name.value(in: $0) }
        #expect(sorted == ["A", "a", "aa", "B", "b", "äa", "Äb"].map(FieldValue.text))
    }

    @Test func `text of any letters has the order of its small letters, and then of its bytes`() {
        let letters = ["a", "A", "b", "B", "é", "É", "ß", "İ", "i", "Σ", "σ", "@", "[", "\u{301}", "日"]
        for seed in UInt64(0)..<5_000 {
            var random = SeededGenerator(seed: seed)
            let texts = (0..<2).map { _ in
                (0..<Int.random(in: 0...4, using: &random))
                    .map { _ in letters.randomElement(using: &random) ?? "" }.joined()
            }
            let small = texts.map { Array($0.lowercased().utf8) }
            let bytes = texts.map { Array($0.utf8) }
            let isLess =
                small[0] == small[1]
                ? bytes[0].lexicographicallyPrecedes(bytes[1]) : small[0].lexicographicallyPrecedes(small[1])
            let object = object([ObjectSamples.field("name"): .text(texts[0])])
            #expect(ObjectCondition(name, .less(.text(texts[1]))).matches(object) == isLess, "seed \(seed)")
            let isSame = ObjectCondition(name, .equals(.text(texts[1]))).matches(object)
            #expect(isSame == (bytes[0] == bytes[1]), "seed \(seed)")
        }
    }

    @Test(arguments: [
        ("Café Zoë", "fé z", true), ("Café", "CAFÉ", true), ("Café", "cafe", false), ("a", "", true),
        ("", "a", false),
        ("aab", "ab", true), ("ab", "abc", false), ("日本語", "本", true),
    ])
    func `contains looks for a part without regard to case`(text: String, part: String, isThere: Bool) {
        let object = object([ObjectSamples.field("name"): .text(text)])
        #expect(ObjectCondition(name, .contains(part)).matches(object) == isThere)
    }

    @Test func `begins with looks at the start alone`() {
        let object = object([ObjectSamples.field("name"): .text("Main Street")])
        #expect(ObjectCondition(name, .begins(with: "mAIN")).matches(object))
        #expect(!ObjectCondition(name, .begins(with: "Street")).matches(object))
        #expect(!ObjectCondition(rating, .begins(with: "")).matches(object))
    }

    @Test func `an operator that doesn't fit the field's type is refused`() throws {
        let more = ObjectKey.field(ObjectSamples.field("more"))
        let at = ObjectKey.field(ObjectSamples.field("at"))
        let refused: [ObjectCriteria] = [
            .where(rating, .equals(.text("1"))), .where(rating, .contains("1")),
            .where(more, .equals(ObjectSamples.json("1"))), .where(at, .less(ObjectSamples.location(1, 1))),
            .all && !.where(.id, .equals(.number(1))), .where(.created, .less(.number(1))) || .all,
        ]
        for criteria in refused {
            expect(.invalidField) { () throws(SharingError) in try criteria.check(in: entity) }
        }
        expect(.unknownField) { () throws(SharingError) in
            try ObjectCriteria.where(.field(ObjectSamples.field("color")), .exists).check(in: entity)
        }
        for key in [name, more, at, .id] { try ObjectCriteria.where(key, .exists).check(in: entity) }
    }

    @Test func `conditions are read from the text that the wire has`() throws {
        let near = ObjectKey.field(ObjectSamples.field("near"))
        let closed = ObjectKey.field(ObjectSamples.field("closed"))
        let opened = ObjectKey.field(ObjectSamples.field("opened"))
        let expected: [String: ObjectCriteria] = [
            "rating>=4": .where(rating, .atLeast(.number(4))),
            "rating<-0.5": .where(rating, .less(.number(-0.5))),
            "rating>1e2": .where(rating, .greater(.number(100))),
            "rating<=4": .where(rating, .atMost(.number(4))),
            "name=": .where(name, .equals(.text(""))), "name==x": .where(name, .equals(.text("=x"))),
            "name!=a=b": !.where(name, .equals(.text("a=b"))), "name~Ä !": .where(name, .contains("Ä !")),
            "name^Ca": .where(name, .begins(with: "Ca")),
            "at": .where(.field(ObjectSamples.field("at")), .exists),
            "!at": !.where(.field(ObjectSamples.field("at")), .exists),
            "closed=true": .where(closed, .equals(.boolean(true))),
            "near=7": .where(near, .equals(.reference(ObjectSamples.id(7)))),
            "opened<12": .where(opened, .less(.date(Timestamp(milliseconds: 12)))),
            "id>7": .where(.id, .greater(.reference(ObjectSamples.id(7)))),
            "updated>=5": .where(.updated, .atLeast(.date(Timestamp(milliseconds: 5)))),
        ]
        for (text, criteria) in expected {
            #expect(try ObjectCriteria(text, in: entity) == criteria, "\(text)")
        }
    }

    @Test(arguments: [
        ("", "invalidField"), ("=1", "invalidField"), ("color", "unknownField"), ("color=1", "unknownField"),
        ("rating=", "invalidField"), ("rating=4x", "invalidField"), ("rating=1 2", "invalidField"),
        ("rating~4", "invalidField"), ("!rating=4", "invalidField"), ("rating!4", "invalidField"),
        ("at=1", "invalidField"), ("closed=yes", "invalidField"), ("near=x", "invalidField"),
        ("opened=1.5", "invalidField"), ("more=1", "invalidField"), ("rating=NaN", "invalidField"),
    ])
    func `a condition that can't be read is refused`(text: String, code: String) {
        expect(SharingError.Code(code)) { () throws(SharingError) in try ObjectCriteria(text, in: entity) }
    }

    @Test func `a condition of more than 1024 bytes is refused`() throws {
        _ = try ObjectCriteria("name=" + String(repeating: "x", count: 1_019), in: entity)
        expect(.tooLarge) { () throws(SharingError) in
            try ObjectCriteria("name=" + String(repeating: "x", count: 1_020), in: entity)
        }
    }

    @Test func `an order is read from the text that the wire has`() throws {
        let order = try ObjectOrder("-rating,name,id", in: entity)
        #expect(order == ObjectOrder([.init(rating, isDescending: true), .init(name), .init(.id)]))
        for text in ["", ",", "rating,", "--rating", "at", "more"] {
            expect(.invalidField) { () throws(SharingError) in try ObjectOrder(text, in: entity) }
        }
        expect(.unknownField) { () throws(SharingError) in try ObjectOrder("color", in: entity) }
        let many = Array(repeating: "id", count: 9).joined(separator: ",")
        expect(.tooMany) { () throws(SharingError) in try ObjectOrder(many, in: entity) }
    }
}
