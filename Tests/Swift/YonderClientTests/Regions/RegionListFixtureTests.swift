import Foundation
import Testing
import YonderGeodesy
import YonderModel
import YonderWire

@testable import YonderClient

@Suite struct RegionListFixtureTests {
    @Test(arguments: try MapFixtures.names(in: "lists"))
    func `the list does in each step what the fixture says`(_ name: String) throws {
        let fixture = try MapFixtures.json(name)
        if fixture["query"] as? String == "people" {
            try run(fixture, as: RegionPerson.self) { "\($0.chat)/\($0.user)" }
        } else {
            try run(fixture, as: MapObject.self, named: \.description)
        }
    }

    private func run<Item: RegionListed>(
        _ fixture: [String: Any],
        as type: Item.Type,
        named name: @escaping (Item.ID) -> String
    ) throws {
        let region = try MapFixtures.region(fixture["region"])
        let limit = try #require(fixture["limit"] as? Int)
        // What the fixture can't say of a query is of no interest here.
        let list = RegionList<Item>(region, limit: limit) { .people(PeopleRegionQuery(in: $0, limit: limit)) }
        var runner = Runner(list: list, contents: RegionContents(region, limit: limit), name: name)
        for (index, step) in try MapFixtures.steps(fixture).enumerated() {
            try runner.perform(step, "\(fixture["title"] ?? ""), step \(index)")
        }
    }
}

/// A list, and a reader of it who applies its updates.
private struct Runner<Item: RegionListed> {
    var list: RegionList<Item>
    var contents: RegionContents<Item>
    let name: (Item.ID) -> String

    mutating func perform(_ step: [String: Any], _ comment: Comment) throws {
        switch step["do"] as? String {
        case "open":
            list.reopen()
            contents.isCurrent = false
            guard case .people(let query) = list.query else { throw MapFixtures.Failure(json: step) }
            let asks = try #require(step["asks"] as? [String: Any])
            #expect(try query.region == MapFixtures.region(asks["region"]), comment)
            #expect(query.limit == asks["limit"] as? Int, comment)
        case "move":
            try expect(list.move(to: MapFixtures.region(step["region"])), step, comment)
            contents.isCurrent = list.contents.isCurrent
        case "hold":
            let key = step["key"] as? String
            contents.hold(contents.shown.keys.first { name($0) == key })
        default: try take(step, comment)
        }
        try check(step, comment)
    }

    private mutating func take(_ step: [String: Any], _ comment: Comment) throws {
        let before = contents
        let change = list.apply(try MapFixtures.frame(step["frame"]))
        try expect(list.nextMove(), step, comment)
        var gone: Set<Item.ID> = []
        switch change {
        case .nothing: #expect(step["change"] is NSNull, comment)
        case .list: gone = contents.apply(.list(list.snapshot))
        case .changes(let changes):
            for change in changes { gone.formUnion(contents.apply(.change(change))) }
        }
        contents.isCurrent = list.contents.isCurrent
        guard let expected = step["change"] as? [String: [String]] else { return }
        if case .changes(let changes) = change, let change = changes.first {
            #expect(keys(change.entered.map(\.id)) == expected["entered"], comment)
            #expect(keys(change.changed.map(\.id)) == expected["changed"], comment)
            #expect(keys(change.moved.map(\.id)) == expected["moved"], comment)
            #expect(keys(change.left) == expected["left"], comment)
        } else {
            let changes = KeyedChanges(from: before.items, to: contents.items)
            #expect(keys(changes.added.map(\.id)) == expected["entered"], comment)
            #expect(keys(changes.changed.map(\.id)) == expected["changed"], comment)
            #expect(keys(changes.removed) == expected["left"], comment)
        }
        #expect(keys(gone) == expected["gone"], comment)
    }

    private func keys(_ ids: some Sequence<Item.ID>) -> [String] { ids.map(name).sorted() }

    private func expect(_ move: RegionList<Item>.Move?, _ step: [String: Any], _ comment: Comment) throws {
        let asks = step["asks"] as? [String: Any]
        #expect(move?.step == (asks?["step"] as? Int).map(Int64.init), comment)
        #expect(try move?.region == asks.map { try MapFixtures.region($0["region"]) }, comment)
    }

    private func check(_ step: [String: Any], _ comment: Comment) throws {
        let state = try #require(step["state"] as? [String: Any])
        let places = contents.shown.map { (name($0), [$1.coordinate.latitude, $1.coordinate.longitude]) }
        let shown = Dictionary(uniqueKeysWithValues: places)
        #expect(shown == state["shown"] as? [String: [Double]], comment)
        #expect(contents.total == state["total"] as? Int, comment)
        #expect(contents.isCurrent == state["current"] as? Bool, comment)
        #expect(contents.held.map(name) == state["held"] as? String, comment)
    }
}
