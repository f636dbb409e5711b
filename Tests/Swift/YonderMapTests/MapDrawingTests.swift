import Testing
import YonderClient
import YonderGeodesy

@testable import YonderMap

@Suite struct MapDrawingTests {
    private let settings = PeopleMapSettings()

    private func drawing(_ map: MapAnnotations, _ label: ((String) -> String)? = nil) -> MapDrawing {
        MapDrawing(map, settings, label: label)
    }

    @Test
    func `a pin that is elsewhere is moved, one with another label is changed, and an equal one is neither`()
    {
        let before = drawing(people(pin("1"), pin("2"), pin("3"), pin("4")))
        let after = drawing(people(pin("1"), pin("2", at: place(48, 9)), pin("3", name: "Finn"), pin("5")))
        let changes = after.changes(from: before)
        #expect(changes.added.map(\.id) == ["5"])
        #expect(changes.moved.map(\.id) == ["2"])
        #expect(changes.changed.map(\.id) == ["3"])
        #expect(changes.removed == ["4"])
        #expect(after.changes(from: after) == MapDrawing.Changes())
    }

    @Test func `a position's time alone moves a pin to where it is and changes no look`() {
        var later = pin("1")
        later.time = Timestamp(milliseconds: 5)
        let changes = drawing(people(later)).changes(from: drawing(people(pin("1"))))
        #expect(changes.moved.map(\.id) == ["1"])
        #expect(changes.changed.isEmpty)
    }

    @Test func `a label is the app's, or the name where the app has none`() throws {
        let map = people(pin("1"), pin("2", name: "Finn"))
        let own = drawing(map) { $0 == "1" ? "Eva, 3 min" : "" }
        #expect(own.pins["1"]?.label == "Eva, 3 min")
        #expect(own.pins["2"]?.label == "Finn")
        #expect(drawing(map).pins["1"]?.label == "Eva Beck")
        #expect(drawing(people(pin("1", name: nil))).pins["1"]?.label == "")
    }

    @Test func `the app's label of a stop is asked for by the views in view alone`() throws {
        var map = MapAnnotations()
        map.stops["1/4"] = pin("1/4")
        let stop = try #require(drawing(map) { _ in "Eva, 14:02" }.pins["1/4"])
        #expect(stop.kind == .stop)
        #expect(stop.label == "Eva Beck")
        #expect(stop.spoken { _ in "Eva, 14:02" } == "Eva, 14:02")
        #expect(stop.spoken(nil) == "Eva Beck")
    }

    @Test(arguments: [("Eva Beck", "EB"), ("eva", "E"), ("Eva Maria Beck", "EB"), ("  ", "?"), ("", "?")])
    func `a person's letters are the first of the first and of the last name`(name: String, letters: String) {
        #expect(drawing(people(pin("1", name: name))).pins["1"]?.letters == letters)
    }

    @Test func `the user's own pin isn't drawn beside the system's dot, and their line is`() {
        var map = people(pin("1"), pin("2"))
        map.lines["1"] = MapLine(id: "1", points: [place(47, 9), place(48, 9)], color: PersonColor(hue: 40))
        let dot = PeopleMapSettings(showsOwnPlace: true, ownPin: "1")
        #expect(MapDrawing(map, dot).pins.keys.sorted() == ["2"])
        #expect(MapDrawing(map, dot).lines.keys.sorted() == ["1"])
        #expect(MapDrawing(map, PeopleMapSettings(ownPin: "1")).pins.keys.sorted() == ["1", "2"])
    }

    @Test func `a line has its person's color, or the map's one hue, and needs two positions`() {
        var map = people(pin("1"))
        map.lines["1"] = MapLine(id: "1", points: [place(47, 9), place(48, 9)], color: PersonColor(hue: 40))
        map.lines["2"] = MapLine(id: "2", points: [place(47, 9)], color: PersonColor(hue: 40))
        #expect(drawing(map).sortedLines.map(\.color) == [PersonColor(hue: 40)])
        let purple = MapDrawing(map, PeopleMapSettings(hue: 285))
        #expect(purple.sortedLines.map(\.color) == [PersonColor(hue: 285)])
        #expect(purple.pins["1"]?.color == PersonColor(hue: 285))
    }

    @Test func `pins of a kind come in the order of their ids, so that a map draws them in one order`() {
        let map = drawing(people(pin("3"), pin("1"), pin("2")))
        #expect(map.pins(.person).map(\.id) == ["1", "2", "3"])
        #expect(map.pins(.object).isEmpty)
    }
}
