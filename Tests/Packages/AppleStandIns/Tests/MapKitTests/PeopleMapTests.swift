import CoreLocation
import MapKit
import Observation
import ScreenReading
import SwiftUI
import Testing
import YonderClient
import YonderGeodesy

@testable import YonderMap

/// The map in SwiftUI, as a screen with a model shows it.
@MainActor
@Suite struct PeopleMapTests {
    /// What a screen's model has and is sent.
    @Observable
    final class Model {
        var annotations = MapSamples.map(MapSamples.eva(), MapSamples.finn)
        var selection: String?
        var look: MapLook?
        var callout: MapCallout?
        var settings = PeopleMapSettings(start: MapSamples.town)
        var labels = ["1": "Eva Beck, 3 min"]
        @ObservationIgnored var regions: [Region] = []
        @ObservationIgnored var moves = 0
        @ObservationIgnored var opened: [MapItem] = []
    }

    private struct TestView: View {
        @Bindable var model: Model

        var body: some View {
            PeopleMap(
                model.annotations,
                selection: $model.selection,
                look: model.look,
                callout: model.callout,
                settings: model.settings,
                label: { model.labels[$0] ?? "" },
                onMove: { model.moves += 1 },
                onRegion: { model.regions.append($0) },
                onOpen: { model.opened.append($0) }
            )
        }
    }

    private let model: Model
    private let screen: Screen

    init() {
        let model = Model()
        self.model = model
        screen = Screen { TestView(model: model) }
    }

    private func map() throws -> ShownMap {
        try #require(screen.all.lazy.compactMap { $0.view as? ShownMap }.first)
    }

    private func pin(_ id: String) throws -> ShownMap.Item {
        try #require(try map().items.first { $0.tag == AnyHashable(id) })
    }

    private func texts(_ id: String) throws -> [String] { try pin(id).elements.flatMap(\.texts) }

    // MARK: Items

    @Test func `each person has a pin with initials, and the label below it and for VoiceOver`() throws {
        let eva = try pin("1")
        #expect(eva.title == "Eva Beck, 3 min")
        #expect(try texts("1") == ["EB"])
        #expect(eva.elements.flatMap(\.all).contains { $0.spoken == "Eva Beck, 3 min" })
        #expect(try pin("2").title == "Finn Beck")
        #expect(eva.coordinates.first?.latitude == 47.14)
    }

    @Test func `lines lie below the pins, in their people's colors`() throws {
        model.annotations.lines["1"] = MapLine(
            id: "1",
            points: [MapSamples.vaduz, place(47.1, 9.5)],
            color: PersonColor(hue: 200)
        )
        let items = try map().items
        let color = PersonColor(hue: 200)
        #expect(items.map(\.kind) == [.line, .annotation, .annotation])
        #expect(items.first?.color == Color(red: color.red, green: color.green, blue: color.blue))
        #expect(items.first?.coordinates.count == 2)
    }

    @Test func `a stop shows no title, and VoiceOver reads whose it is and when`() throws {
        model.annotations.stops["1/4"] = MapPin(
            id: "1/4",
            coordinate: MapSamples.vaduz,
            color: PersonColor(hue: 200),
            name: "Eva Beck"
        )
        model.labels["1/4"] = "Eva Beck, 14:02"
        let stop = try pin("1/4")
        #expect(stop.isTitleHidden)
        #expect(stop.title == "Eva Beck")
        #expect(stop.elements.flatMap(\.all).contains { $0.spoken == "Eva Beck, 14:02" })
    }

    @Test func `the user's own place is the system's dot and no pin`() throws {
        #expect(try map().items.contains { $0.kind == .ownPlace } == false)
        model.settings = PeopleMapSettings(showsOwnPlace: true, ownPin: "1")
        let items = try map().items
        #expect(items.filter { $0.kind == .ownPlace }.count == 1)
        #expect(items.compactMap(\.tag) == [AnyHashable("2")])
    }

    // MARK: Selection

    @Test func `a tap on a pin selects it, and a tap on nothing deselects it`() throws {
        try map().tap("2")
        #expect(model.selection == "2")
        #expect(try map().selected?.tag == AnyHashable("2"))
        try map().tap(nil)
        #expect(model.selection == nil)
    }

    @Test func `a selected pin stays selected and its callout open while the pin moves`() throws {
        model.selection = "1"
        model.callout = MapCallout(id: "1", title: "Eva Beck", lines: ["3 min ago"], button: "Follow")
        #expect(try texts("1") == ["Eva Beck", "3 min ago", "Follow", "EB"])
        model.annotations = MapSamples.map(MapSamples.eva(place(47.15, 9.53)), MapSamples.finn)
        model.callout?.lines = ["now"]
        #expect(try map().selected?.coordinates.first?.latitude == 47.15)
        #expect(try texts("1") == ["Eva Beck", "now", "Follow", "EB"])
        #expect(try texts("2") == ["FB"])
    }

    @Test func `a selected pin that leaves the map is the model's to deselect`() throws {
        model.selection = "1"
        model.annotations = MapSamples.map(MapSamples.finn)
        try map().tap(nil)
        #expect(model.selection == "1")
    }

    @Test func `a tap on the callout's button reaches the object behind the pin`() throws {
        let place = MapSamples.restaurant()
        model.annotations = MapSamples.map(objects: [place])
        model.selection = place.id
        model.callout = MapCallout(
            id: place.id,
            title: "Löwen",
            lines: ["Herrengasse 35"],
            button: "Open",
            spokenButton: "Open Löwen"
        )
        try screen.press("Open Löwen")
        #expect(model.opened == [.object(place)])
    }

    // MARK: Looking

    @Test func `a map begins with the region of its settings, and sends each region in view`() throws {
        try map().settle()
        let region = try #require(model.regions.first)
        #expect(region.contains(MapSamples.vaduz))
        #expect(region.width < 0.05)
        try map().drag(east: 0.5)
        #expect(model.regions.count == 2)
        #expect(model.regions.last == Region(try map().rect))
    }

    @Test func `a drag is sent as a move by hand, and the app's moves aren't`() async throws {
        try map().settle()
        try await running {
            model.look = MapLook(.center(place(47.2, 9.6)), number: 1)
            while try !map().isAsked { await Task.yield() }
        }
        try map().settle()
        #expect(model.moves == 0)
        let center = try #require(model.regions.last?.center)
        #expect(abs(center.latitude - 47.2) < 0.001 && abs(center.longitude - 9.6) < 0.001)
        try map().drag(south: 0.5)
        #expect(model.moves == 1)
    }

    @Test func `a region across the antimeridian has four right numbers`() throws {
        let fiji = region(178, -20, -178, -16)
        model.settings.start = fiji
        let screen = Screen { [model] in TestView(model: model) }
        let map = try #require(screen.all.lazy.compactMap { $0.view as? ShownMap }.first)
        map.settle()
        let seen = try #require(model.regions.last)
        #expect(seen.crossesAntimeridian)
        #expect(seen.contains(place(-18, 179.5)) && seen.contains(place(-18, -179.5)))
        #expect(!seen.contains(place(-18, 0)))
    }

    /// Runs the screen's tasks while a test acts.
    private func running(_ act: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [screen] in await screen.run() }
            try await act()
            group.cancelAll()
        }
    }
}

extension Region {
    fileprivate var width: Double { east - west }
}
