import Synchronization
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

extension ObjectRule {
    static let reading = [
        ObjectRule("pages bring every object once, in the order in which they were made") { town in
            try await town.define()
            var made: [Object] = []
            for number in 0..<23 { made.append(try await town.make("\(number)")) }
            for limit in [1, 5, 22, 23, 24] {
                var (found, cursor, pages): ([Object], ObjectCursor?, Int) = ([], nil, 0)
                repeat {
                    let query = ObjectQuery(town.places.name, after: cursor, limit: limit)
                    let page = try await town.store.objects(query, for: .owner)
                    found += page.objects
                    cursor = page.next
                    pages += 1
                } while cursor != nil
                #expect(found == made)
                #expect(pages == (23 + limit - 1) / limit)
            }
        },
        ObjectRule("pages neither miss nor repeat what stays while others come, change and go") { town in
            try await town.define()
            var made: [Object] = []
            for number in 0..<10 { made.append(try await town.make("\(number)")) }
            let first = try await town.store.objects(ObjectQuery(town.places.name, limit: 4), for: .owner)
            let cursor = try #require(first.next)
            // The object that the cursor stands on, too.
            for index in [0, 3, 5] { try await town.delete(made[index].id) }
            try await town.change(made[1].id, [town.rating: .number(1)])
            let last = try await town.make("new")
            let query = ObjectQuery(town.places.name, after: ObjectCursor(cursor.description), limit: 100)
            let rest = try await town.store.objects(query, for: .owner)
            #expect(rest.objects == [made[4]] + made[6...] + [last])
            #expect(rest.next == nil)
        },
        ObjectRule("a page has what matches alone, and goes on behind it") { town in
            try await town.define()
            for number in 0..<30 {
                try await town.make("\(number)", [town.rating: .number(Double(number % 3))])
            }
            let criteria =
                ObjectCriteria.where(.field(town.rating), .atLeast(.number(1)))
                && .where(.field(town.name), .begins(with: "1"))
            var (found, cursor): ([Object], ObjectCursor?) = ([], nil)
            repeat {
                let query = ObjectQuery(town.places.name, where: criteria, after: cursor, limit: 2)
                let page = try await town.store.objects(query, for: .owner)
                found += page.objects
                cursor = page.next
            } while cursor != nil
            let all = try await town.all()
            #expect(found == all.filter(criteria.matches))
            #expect(found.count == 8)
        },
        ObjectRule("a query with an invalid condition is refused") { town in
            try await town.define()
            await expectRefusal(.unknownField) {
                try await town.all(where: .where(.field(ObjectSamples.field("color")), .exists))
            }
            await expectRefusal(.invalidField) {
                try await town.all(where: .where(.field(town.rating), .contains("1")))
            }
        },
        ObjectRule("objects asked for by id come in that order, without those that are not there") { town in
            try await town.define()
            let (one, two) = (try await town.make("1"), try await town.make("2"))
            let ids = [two.id, .random(), one.id, two.id]
            let found = try await town.store.objects(ids, of: town.places.name, for: .member)
            #expect(found == [two, one, two])
        },
        ObjectRule("an object is in its own entity alone") { town in
            try await town.define()
            let benches = EntityDefinition(ObjectSamples.entity("bench"), fields: [])
            try await town.define(benches)
            let object = try await town.make("a")
            await expectRefusal(.unknownObject) {
                try await town.store.object(object.id, of: benches.name, for: .owner)
            }
            await expectRefusal(.unknownObject) {
                try await town.store.change(town.submission(.delete(object.id), in: benches.name))
            }
            #expect(try await town.store.objects([object.id], of: benches.name, for: .owner) == [])
        },
        ObjectRule("each object on the map is passed on once, in batches") { town in
            try await town.define()
            var placed: [Object] = []
            for number in 0..<10 {
                placed.append(
                    try await town.make("\(number)", [town.at: ObjectSamples.location(1, Double(number))])
                )
                try await town.make("no place \(number)")
            }
            let address = try #require(ObjectLocation(address: "Main Street 1"))
            try await town.make("address", [town.at: .location(address)])
            try await town.change(placed[2].id, [town.at: .none])
            try await town.change(placed[3].id, [town.at: ObjectSamples.location(-90, 180)])
            try await town.delete(placed[4].id)
            placed[3] = try await town.object(placed[3].id)
            placed.remove(at: 4)
            placed.remove(at: 2)
            let batches = Mutex<[[ObjectRecord]]>([])
            try await town.store.forEachPlacedObject(batch: 3) { batch in
                batches.withLock { $0.append(batch) }
            }
            let records = batches.withLock(\.self)
            #expect(records.map(\.count) == [3, 3, 2])
            #expect(records.flatMap(\.self) == placed.map(ObjectRecord.init))
            let entity = try await town.store.entity(town.places.name, for: .owner)
            let objects = try records.flatMap(\.self).map { try $0.object(of: entity) }
            #expect(objects == placed)
            #expect(
                placed[2].location?.coordinate
                    == Coordinate.Rounded(latitude: -900_000_000, longitude: -1_800_000_000)
            )
        },
        ObjectRule("a change is seen by every read after its answer") { town in
            try await town.define()
            for number in 0..<30 {
                let object = try await town.make("\(number)")
                #expect(try await town.object(object.id) == object)
                #expect(try await town.count() == number + 1)
            }
        },
    ]
}
