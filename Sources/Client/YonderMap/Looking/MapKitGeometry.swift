#if canImport(MapKit)
import CoreLocation
import MapKit
import YonderClient
import YonderGeodesy

// Between this library's geometry and MapKit's, for `PeopleMap`, `MapDriver` and the pins' views, on Apple's platforms. A
// rectangle without size, or a place off the Earth, gives `nil`, and nothing is reported to the app. The 800 m may change.
// What crosses the antimeridian is decided in `MapWindow` (`MapWindowTests`).
extension CLLocationCoordinate2D {
    init(_ coordinate: Coordinate) {
        self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }
}

extension Coordinate {
    /// The coordinate; `nil` if it isn't on the Earth.
    init?(_ coordinate: CLLocationCoordinate2D) {
        self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }
}

extension Region {
    /// The region that a view shows; `nil` if the view has no size yet.
    init?(_ rect: MKMapRect) {
        guard rect.size.width > 0, rect.size.height > 0 else { return nil }
        let window = MapWindow(
            x: rect.origin.x,
            y: rect.origin.y,
            width: rect.size.width,
            height: rect.size.height,
            world: MKMapSize.world.width
        )
        guard let region = window.region(latitude: { MKMapPoint(x: 0, y: $0).coordinate.latitude }) else {
            return nil
        }
        self = region
    }
}

extension MKMapRect {
    /// The smallest rectangle that shows a region, and at least some 600 m.
    init(_ region: Region) {
        let window = MapWindow(region, world: MKMapSize.world.width) { latitude in
            MKMapPoint(CLLocationCoordinate2D(latitude: latitude, longitude: 0)).y
        }
        self.init(x: window.x, y: window.y, width: window.width, height: window.height)
    }
}

extension MKCoordinateRegion {
    /// The surroundings of a place, near enough to see streets: 800 m.
    init(near place: Coordinate) {
        self.init(
            center: CLLocationCoordinate2D(place),
            latitudinalMeters: 800,
            longitudinalMeters: 800
        )
    }
}
#endif
