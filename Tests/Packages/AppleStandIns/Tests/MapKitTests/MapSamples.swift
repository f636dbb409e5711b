import CoreLocation
import MapKit
import TestSupport
import UIKit
import YonderClient
import YonderGeodesy
import YonderModel

@testable import YonderMap

/// A place that is known to be one.
func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    guard let place = Coordinate(latitude: latitude, longitude: longitude) else {
        preconditionFailure("\(latitude), \(longitude) is no place.")
    }
    return place
}

/// A region that is known to be one.
func region(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> Region {
    guard let region = Region(west: west, south: south, east: east, north: north) else {
        preconditionFailure("\(west), \(south), \(east), \(north) is no region.")
    }
    return region
}

/// Two people in Vaduz, and a restaurant.
enum MapSamples {
    static let vaduz = place(47.14, 9.52)

    static let town = region(9.5, 47.12, 9.54, 47.16)

    static func eva(_ place: Coordinate = vaduz) -> MapPin {
        MapPin(
            id: "1",
            coordinate: place,
            color: PersonColor(hue: 200),
            name: "Eva Beck",
            email: "eva@example.org"
        )
    }

    static let finn = MapPin(
        id: "2",
        coordinate: place(47.13, 9.51),
        color: PersonColor(hue: 40),
        name: "Finn Beck"
    )

    static func restaurant(_ title: String? = "Löwen", at place: Coordinate = vaduz) -> ObjectAnnotation {
        let record = ObjectRecord(
            Object(
                id: ObjectSamples.id(7),
                entity: ObjectSamples.places.name,
                created: ObjectSamples.time,
                updated: ObjectSamples.time,
                fields: [
                    ObjectSamples.field("at"): ObjectSamples.location(
                        place.latitude,
                        place.longitude,
                        "Herrengasse 35"
                    )
                ]
            )
        )
        guard let object = MapObject(record, field: ObjectSamples.field("at")) else {
            preconditionFailure("The object has no location.")
        }
        return ObjectAnnotation(object, title: title)
    }

    static func map(_ pins: MapPin..., objects: [ObjectAnnotation] = []) -> MapAnnotations {
        var map = MapAnnotations(objects: objects)
        for pin in pins { map.pins[pin.id] = pin }
        return map
    }
}

/// A map view that counts what is added to it and removed from it.
final class CountingMap: MKMapView {
    var added = 0
    var removed = 0

    /// How many lines there were after each change of them.
    var lineCounts: [Int] = []

    override func addAnnotations(_ annotations: [any MKAnnotation]) {
        added += annotations.count
        super.addAnnotations(annotations)
    }

    override func removeAnnotations(_ annotations: [any MKAnnotation]) {
        removed += annotations.count
        super.removeAnnotations(annotations)
    }

    override func addOverlay(_ overlay: any MKOverlay) {
        super.addOverlay(overlay)
        lineCounts.append(overlays.count)
    }

    override func insertOverlay(_ overlay: any MKOverlay, above sibling: any MKOverlay) {
        super.insertOverlay(overlay, above: sibling)
        lineCounts.append(overlays.count)
    }

    override func removeOverlay(_ overlay: any MKOverlay) {
        super.removeOverlay(overlay)
        lineCounts.append(overlays.count)
    }
}

/// A map view with its driver, and what the driver has called.
@MainActor
final class DrivenMap {
    let view = CountingMap(frame: CGRect(x: 0, y: 0, width: 300, height: 300))
    let driver: MapDriver
    var selections: [String?] = []
    var regions: [Region] = []
    var moves = 0
    var opened: [MapItem] = []

    init(settings: PeopleMapSettings = PeopleMapSettings(start: MapSamples.town)) {
        driver = MapDriver(view, settings: settings)
        driver.onSelect = { [unowned self] in selections.append($0) }
        driver.onRegion = { [unowned self] in regions.append($0) }
        driver.onMove = { [unowned self] in moves += 1 }
        driver.onOpen = { [unowned self] in opened.append($0) }
    }

    func annotation(_ id: String) -> PinAnnotation? {
        view.annotations.lazy.compactMap { $0 as? PinAnnotation }.first { $0.pin.id == id }
    }

    func pinView(_ id: String) -> MKAnnotationView? {
        annotation(id).flatMap { view.view(for: $0) }
    }

    /// The line of a person that is above the others.
    var lineColors: [UIColor?] {
        view.overlays.map { (view.renderer(for: $0) as? MKPolylineRenderer)?.strokeColor }
    }
}
