import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

struct ObjectPageTests {
    private func object(_ number: Int64) -> Object {
        Object(
            id: ObjectSamples.id(number),
            entity: ObjectSamples.places.name,
            created: ObjectSamples.time,
            updated: ObjectSamples.time,
            fields: [:]
        )
    }

    /// How many of endlessly many objects are looked at for a page.
    private func fill(_ query: ObjectQuery, byteCount: Int) -> (visits: Int, page: ObjectPage) {
        var builder = ObjectPageBuilder(query)
        var visits = 0
        while builder.take(at: Int64(visits + 1), byteCount: byteCount, { object(Int64(visits + 1)) }) {
            visits += 1
        }
        return (visits, builder.page)
    }

    @Test func `a page ends with its limit, which is at most 1000`() {
        for (limit, count) in [(1, 1), (100, 100), (1_000, 1_000), (1_001, 1_000), (0, 1), (-5, 1)] {
            let (visits, page) = fill(ObjectQuery(ObjectSamples.places.name, limit: limit), byteCount: 10)
            #expect(visits == count && page.objects.count == count)
            #expect(page.next?.description == "\(count)")
        }
    }

    @Test func `a page ends once it has a MiB`() {
        let (visits, page) = fill(ObjectQuery(ObjectSamples.places.name, limit: 1_000), byteCount: 65_536)
        #expect(visits == 16 && page.objects.count == 16)
        #expect(page.next != nil)
    }

    @Test func `a page for which 10000 objects were looked at ends, though nothing was found`() {
        let query = ObjectQuery(ObjectSamples.places.name, where: !.all)
        let (visits, page) = fill(query, byteCount: 10)
        #expect(visits == 10_000 && page.objects.isEmpty)
        #expect(page.next?.description == "10000")
    }

    @Test(arguments: ["", "-1", "1.5", "x", "01", "9223372036854775808"])
    func `an invalid cursor is refused`(text: String) {
        #expect(ObjectCursor(text) == nil)
    }
}
