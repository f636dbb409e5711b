import CoreLocation
import MapKit
import Testing
import UIKit
import YonderClient
import YonderGeodesy

@testable import YonderMap

/// What a driver does about the selected pin and its callout.
@MainActor
@Suite struct MapSelectionTests {
    private let map = DrivenMap()
    private let both = MapSamples.map(MapSamples.eva(), MapSamples.finn)

    private func callout(_ lines: String..., button: String? = "Follow") -> MapCallout {
        MapCallout(id: "1", title: "Eva Beck", lines: lines, button: button)
    }

    @Test func `a tap on a pin is sent to the app once, and so is a tap on nothing`() throws {
        map.driver.update(both, selection: nil)
        map.view.tap(try #require(map.annotation("1")))
        #expect(map.selections == ["1"])
        map.driver.update(both, selection: "1")
        #expect(map.selections == ["1"])
        map.view.tapNothing()
        #expect(map.selections == ["1", nil])
    }

    @Test func `a tap on another pin selects that pin`() throws {
        map.driver.update(both, selection: nil)
        map.view.tap(try #require(map.annotation("1")))
        map.driver.update(both, selection: "1")
        map.view.tap(try #require(map.annotation("2")))
        #expect(map.selections.last == "2")
        map.driver.update(both, selection: "2")
        #expect(map.pinView("2")?.isSelected == true)
        #expect(map.pinView("1")?.isSelected == false)
    }

    @Test func `the app's selection selects the pin and isn't sent back`() {
        map.driver.update(both, selection: "1")
        #expect(map.pinView("1")?.isSelected == true)
        map.driver.update(both, selection: "2")
        #expect(map.pinView("1")?.isSelected == false)
        #expect(map.pinView("2")?.isSelected == true)
        map.driver.update(both, selection: nil)
        #expect(map.pinView("2")?.isSelected == false)
        #expect(map.selections.isEmpty)
    }

    @Test func `a pin that moves stays selected, and its callout stays open and shows the newer lines`()
        throws
    {
        map.driver.update(both, selection: "1", callout: callout("3 min ago"))
        let view = try #require(map.pinView("1"))
        let lines = try #require(view.detailCalloutAccessoryView as? UILabel)
        #expect(view.isCalloutOpen)
        #expect(lines.text == "3 min ago")
        map.driver.update(
            MapSamples.map(MapSamples.eva(place(47.145, 9.525)), MapSamples.finn),
            selection: "1",
            callout: callout("now", "eva@example.org")
        )
        #expect(map.pinView("1") === view)
        #expect(view.isCalloutOpen)
        #expect(view.detailCalloutAccessoryView === lines)
        #expect(lines.text == "now\neva@example.org")
        #expect(map.selections.isEmpty)
    }

    @Test func `the button of a callout changes its text and stays the same button`() throws {
        map.driver.update(both, selection: "1", callout: callout())
        let button = try #require(map.pinView("1")?.rightCalloutAccessoryView as? UIButton)
        #expect(button.title(for: .normal) == "Follow")
        map.driver.update(both, selection: "1", callout: callout(button: "Stop following"))
        #expect(map.pinView("1")?.rightCalloutAccessoryView === button)
        #expect(button.title(for: .normal) == "Stop following")
        #expect(button.accessibilityLabel == "Stop following")
        map.driver.update(both, selection: "1", callout: callout(button: nil))
        #expect(map.pinView("1")?.rightCalloutAccessoryView == nil)
    }

    @Test func `a tap on the button reaches the object behind the pin, as it is now`() throws {
        let older = MapSamples.restaurant("Löwen")
        let newer = MapSamples.restaurant("Gasthof Löwen")
        let texts = MapCallout(
            id: older.id,
            title: "Löwen",
            button: "Open",
            spokenButton: "Open Löwen"
        )
        map.driver.update(MapSamples.map(objects: [older]), selection: older.id, callout: texts)
        map.driver.update(MapSamples.map(objects: [newer]), selection: older.id, callout: texts)
        #expect(map.view.tapCalloutButton())
        #expect(map.opened == [.object(newer)])
        let button = try #require(map.pinView(older.id)?.rightCalloutAccessoryView as? UIButton)
        #expect(button.accessibilityLabel == "Open Löwen")
    }

    @Test func `a tap on the button reaches the person's pin`() {
        map.driver.update(both, selection: "1", callout: callout())
        #expect(map.view.tapCalloutButton())
        #expect(map.opened == [.person(MapSamples.eva())])
    }

    @Test func `the view of a pin that has left shows no callout of it to the next pin`() throws {
        map.driver.update(MapSamples.map(MapSamples.eva()), selection: "1", callout: callout("3 min ago"))
        let view = try #require(map.pinView("1"))
        map.driver.update(MapSamples.map(), selection: nil)
        map.driver.update(MapSamples.map(MapSamples.finn), selection: nil)
        #expect(map.pinView("2") === view)
        #expect(view.detailCalloutAccessoryView == nil)
        #expect(view.rightCalloutAccessoryView == nil)
        #expect(!view.isSelected)
    }

    @Test(arguments: [true, false])
    func `a selected pin that leaves the map isn't sent as deselected, and is selected when it is back`(
        isReported: Bool
    ) {
        map.view.reportsDeselectionOfRemoved = isReported
        map.driver.update(both, selection: "1")
        map.driver.update(MapSamples.map(MapSamples.finn), selection: "1")
        #expect(map.selections.isEmpty)
        map.driver.update(both, selection: "1")
        #expect(map.pinView("1")?.isSelected == true)
    }

    @Test func `a pin out of view is selected once the map has moved there`() {
        let far = MapSamples.map(MapSamples.eva(place(48, 10)))
        map.driver.update(far, selection: "1")
        #expect(map.pinView("1") == nil)
        map.driver.update(far, selection: "1", look: MapLook(.center(place(48, 10)), number: 1))
        map.view.finishMove()
        #expect(map.pinView("1")?.isSelected == true)
        #expect(map.selections.isEmpty)
    }

    @Test func `a selected pin stays selected while the map is moved away from it`() {
        map.driver.update(both, selection: "1")
        map.view.drag(east: 3)
        map.view.drag(east: -3)
        #expect(map.pinView("1")?.isSelected == true)
        #expect(map.selections.isEmpty)
    }
}
