import Foundation
import Testing
import YonderGeodesy
import YonderModel

@testable import YonderClient

@Suite struct RegionQueryFixtureTests {
    private typealias Query = RegionQuery<Spot>

    @Test(arguments: try MapFixtures.names(in: "queries"))
    func `the query does in each step what the fixture says`(_ name: String) throws {
        let fixture = try MapFixtures.json(name)
        var query = try query(#require(fixture["settings"] as? [String: Any]))
        for (index, step) in try MapFixtures.steps(fixture).enumerated() {
            let comment: Comment = "\(name), step \(index)"
            let actions = try perform(step, &query).map(written) as NSArray
            #expect(try actions == #require(step["actions"] as? NSArray), comment)
            if let shown = step["shown"] as? Int { #expect(query.shown?.number == shown, comment) }
            if let kept = step["kept"] as? Int { #expect(query.cache.count == kept, comment) }
        }
    }

    private func query(_ json: [String: Any]) throws -> Query {
        var settings = RegionQuerySettings()
        settings.policy = try #require(RegionPolicy(rawValue: json["policy"] as? String ?? ""))
        settings.limit = json["limit"] as? Int ?? settings.limit
        settings.padding = json["padding"] as? Double ?? settings.padding
        settings.debounce = (json["debounce"] as? Int).map { .milliseconds($0) } ?? settings.debounce
        var cache = RegionCache<Spot>(entries: json["entries"] as? Int ?? 64)
        for answer in json["kept"] as? [[String: Any]] ?? [] {
            cache.store(
                RegionAnswer(
                    region: try MapFixtures.region(answer["region"]),
                    limit: try #require(answer["limit"] as? Int),
                    total: try #require(answer["total"] as? Int),
                    items: try spots(answer["items"])
                ),
                from: "cafe",
                at: .milliseconds(try #require(answer["at"] as? Int))
            )
        }
        return Query(source: "cafe", settings: settings, cache: cache)
    }

    private func perform(_ step: [String: Any], _ query: inout Query) throws -> [Query.Action] {
        let now = Duration.milliseconds(try #require(step["at"] as? Int))
        if let region = step["look"] { return query.look(at: try MapFixtures.region(region), at: now) }
        if step["wake"] != nil { return query.wake(at: now) }
        if step["again"] != nil { return query.again(at: now) }
        if step["forget"] != nil {
            query.cache.forget(query.source)
            return []
        }
        if let number = step["answered"] as? Int {
            let total = try #require(step["total"] as? Int)
            return query.answered(number, try spots(step["items"]), total: total, at: now)
        }
        let code = SharingError.Code(try #require(step["code"] as? String))
        return query.failed(try #require(step["failed"] as? Int), SharingError(code, ""), at: now)
    }

    private func spots(_ json: Any?) throws -> [Spot] {
        try #require(json as? [[String: Any]]).map { spot in
            Spot(id: try #require(spot["id"] as? String), coordinate: try MapFixtures.coordinate(spot))
        }
    }

    /// An action as the fixtures have it.
    private func written(_ action: Query.Action) -> [String: Any] {
        switch action {
        case .wait(let until): ["wait": Int(until / .milliseconds(1))]
        case .ask(let question):
            [
                "ask": question.number,
                "region": [
                    "south": question.region.south, "west": question.region.west,
                    "north": question.region.north, "east": question.region.east,
                ],
            ]
        case .show(let answer, let number):
            [
                "show": number, "cached": answer.isCached, "total": answer.total,
                "ids": answer.items.map(\.id),
            ]
        case .fail(let error, let number): ["fail": number, "code": error.code.rawValue]
        }
    }
}
