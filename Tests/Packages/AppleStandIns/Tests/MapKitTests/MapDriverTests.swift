import CoreLocation
import MapKit
import Testing
import UIKit
import YonderClient
import YonderGeodesy

@testable import YonderMap

/// What a driver does to the items of a map view.
@MainActor
@Suite struct MapDriverTests {
    private let map = DrivenMap()

    // MARK: Items

    @Test func `a pin that moves keeps its annotation and its view, and nothing is added or removed`() throws
    {
        map.driver.update(MapSamples.map(MapSamples.eva(), MapSamples.finn), selection: nil)
        let (annotation, view) = try (#require(map.annotation("1")), #require(map.pinView("1")))
        map.driver.update(
            MapSamples.map(MapSamples.eva(place(47.141, 9.521)), MapSamples.finn),
            selection: nil
        )
        #expect(map.annotation("1") === annotation)
        #expect(map.pinView("1") === view)
        #expect(annotation.coordinate.latitude == 47.141)
        #expect(annotation.coordinate.longitude == 9.521)
        #expect(map.view.added == 2)
        #expect(map.view.removed == 0)
        #expect(map.view.madeViews == 2)
    }

    @Test func `a pin whose person has left the map is removed, and its view draws the next pin`() throws {
        map.driver.update(MapSamples.map(MapSamples.eva()), selection: nil)
        let view = try #require(map.pinView("1"))
        map.driver.update(MapSamples.map(), selection: nil)
        #expect(map.annotation("1") == nil)
        map.driver.update(MapSamples.map(MapSamples.finn), selection: nil)
        #expect(map.pinView("2") === view)
        #expect((view as? MKMarkerAnnotationView)?.glyphText == "FB")
        #expect(view.accessibilityLabel == "Finn Beck")
    }

    @Test func `a pin has its person's color and initials, as on the page`() throws {
        map.driver.update(MapSamples.map(MapSamples.eva()), selection: nil)
        let marker = try #require(map.pinView("1") as? MKMarkerAnnotationView)
        #expect(marker.markerTintColor == UIColor(PersonColor(hue: 200)))
        #expect(marker.glyphText == "EB")
        #expect(marker.displayPriority == .required)
    }

    @Test func `VoiceOver reads a pin's label, also after the label has changed`() throws {
        map.driver.update(MapSamples.map(MapSamples.eva()), selection: nil) { _ in "Eva Beck, 3 min" }
        let view = try #require(map.pinView("1"))
        #expect(view.accessibilityLabel == "Eva Beck, 3 min")
        map.driver.update(MapSamples.map(MapSamples.eva()), selection: nil) { _ in "Eva Beck, 4 min ± 1 km" }
        #expect(map.pinView("1") === view)
        #expect(view.accessibilityLabel == "Eva Beck, 4 min ± 1 km")
        #expect(map.annotation("1")?.title == "Eva Beck, 4 min ± 1 km")
    }

    @Test func `an object has the color and the letter of its entity, and its title as label`() throws {
        map.driver.update(MapSamples.map(objects: [MapSamples.restaurant()]), selection: nil)
        let marker = try #require(map.pinView("place/7") as? MKMarkerAnnotationView)
        #expect(marker.markerTintColor == UIColor(PersonColor(ofStranger: "place")))
        #expect(marker.glyphText == "P")
        #expect(marker.accessibilityLabel == "Löwen")
    }

    @Test func `a stop is a dot in its person's color`() throws {
        var annotations = MapSamples.map(MapSamples.eva())
        annotations.stops["1/4"] = MapPin(
            id: "1/4",
            coordinate: MapSamples.vaduz,
            color: PersonColor(hue: 200),
            name: "Eva Beck"
        )
        map.driver.update(annotations, selection: nil) { $0 == "1/4" ? "Eva Beck, 14:02" : "" }
        let view = try #require(map.pinView("1/4"))
        #expect(view is MKMarkerAnnotationView == false)
        #expect(view.image?.tint == UIColor(PersonColor(hue: 200)))
        #expect(view.accessibilityLabel == "Eva Beck, 14:02")
        #expect(map.annotation("1/4")?.title == "Eva Beck")
    }

    @Test func `one hue holds for all people and lines where the settings have it`() throws {
        var annotations = MapSamples.map(MapSamples.eva())
        annotations.lines["1"] = MapLine(
            id: "1",
            points: [MapSamples.vaduz, place(47.1, 9.5)],
            color: PersonColor(hue: 200)
        )
        map.driver.settings.hue = 285
        map.driver.update(annotations, selection: nil)
        let marker = try #require(map.pinView("1") as? MKMarkerAnnotationView)
        #expect(marker.markerTintColor == UIColor(PersonColor(hue: 285)))
        #expect(map.lineColors == [UIColor(PersonColor(hue: 285))])
    }

    // MARK: One's own place

    @Test func `the user's own place is the system's dot and no pin`() throws {
        map.driver.settings = PeopleMapSettings(showsOwnPlace: true, ownPin: "1")
        map.driver.update(MapSamples.map(MapSamples.eva(), MapSamples.finn), selection: nil)
        #expect(map.view.showsUserLocation)
        #expect(map.annotation("1") == nil)
        #expect(map.annotation("2") != nil)
        #expect(map.view.annotations.contains { $0 === map.view.userLocation })
        let delegate = try #require(map.view.delegate)
        #expect(delegate.mapView(map.view, viewFor: map.view.userLocation) == nil)
    }

    @Test func `the user's own pin is drawn while the map shows no dot`() {
        map.driver.settings = PeopleMapSettings(ownPin: "1")
        map.driver.update(MapSamples.map(MapSamples.eva()), selection: nil)
        #expect(map.annotation("1") != nil)
        #expect(!map.view.showsUserLocation)
    }

    // MARK: Lines

    @Test func `a line has its person's color and follows the Earth`() throws {
        map.driver.update(line(hue: 200, to: place(47.1, 9.5)), selection: nil)
        #expect(map.lineColors == [UIColor(PersonColor(hue: 200))])
        #expect(map.view.overlays.allSatisfy { $0 is MKGeodesicPolyline })
    }

    @Test func `a longer line takes the place of the shorter one, which leaves last`() throws {
        map.driver.update(line(hue: 200, to: place(47.1, 9.5)), selection: nil)
        let shorter = try #require(map.view.overlays.first)
        map.driver.update(line(hue: 200, to: place(47.1, 9.5), place(47, 9.5)), selection: nil)
        let longer = try #require(map.view.overlays.first as? MKPolyline)
        #expect(map.view.overlays.count == 1)
        #expect(longer !== shorter)
        #expect(longer.pointCount == 3)
        #expect(map.view.lineCounts == [1, 2, 1])
    }

    @Test func `a line of one position isn't drawn, and a line is removed with its person`() {
        map.driver.update(line(hue: 200), selection: nil)
        #expect(map.view.overlays.isEmpty)
        map.driver.update(line(hue: 200, to: place(47.1, 9.5)), selection: nil)
        #expect(map.view.overlays.count == 1)
        map.driver.update(MapSamples.map(), selection: nil)
        #expect(map.view.overlays.isEmpty)
    }

    private func line(hue: Int, to places: Coordinate...) -> MapAnnotations {
        var annotations = MapSamples.map(MapSamples.eva())
        annotations.lines["1"] = MapLine(
            id: "1",
            points: [MapSamples.vaduz] + places,
            color: PersonColor(hue: hue)
        )
        return annotations
    }
}
