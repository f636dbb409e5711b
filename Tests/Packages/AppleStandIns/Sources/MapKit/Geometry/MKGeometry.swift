// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported public import CoreLocation

public struct MKCoordinateSpan: Sendable {
    public var latitudeDelta: CLLocationDegrees
    public var longitudeDelta: CLLocationDegrees

    public init() {
        self.init(latitudeDelta: 0, longitudeDelta: 0)
    }

    public init(latitudeDelta: CLLocationDegrees, longitudeDelta: CLLocationDegrees) {
        (self.latitudeDelta, self.longitudeDelta) = (latitudeDelta, longitudeDelta)
    }
}

public struct MKCoordinateRegion: Sendable {
    public var center: CLLocationCoordinate2D
    public var span: MKCoordinateSpan

    public init() {
        self.init(center: CLLocationCoordinate2D(), span: MKCoordinateSpan())
    }

    public init(center: CLLocationCoordinate2D, span: MKCoordinateSpan) {
        (self.center, self.span) = (center, span)
    }

    public init(
        center centerCoordinate: CLLocationCoordinate2D,
        latitudinalMeters: CLLocationDistance,
        longitudinalMeters: CLLocationDistance
    ) {
        let degree = 6_371_008.8 * Double.pi / 180
        self.init(
            center: centerCoordinate,
            span: MKCoordinateSpan(
                latitudeDelta: latitudinalMeters / degree,
                longitudeDelta: longitudinalMeters / degree / cos(centerCoordinate.latitude / 180 * .pi)
            )
        )
    }

    public init(_ rect: MKMapRect) {
        let north = MKMapPoint(x: rect.midX, y: rect.minY).coordinate.latitude
        let south = MKMapPoint(x: rect.midX, y: rect.maxY).coordinate.latitude
        self.init(
            center: MKMapPoint(x: rect.midX, y: rect.midY).coordinate,
            span: MKCoordinateSpan(
                latitudeDelta: north - south,
                longitudeDelta: rect.width / MKMapSize.world.width * 360
            )
        )
    }
}

/// A point of the flat map, in Mercator's projection.
///
/// Apple doesn't document the width of the world; the one of this stand-in is what its documentation's examples show.
public struct MKMapPoint: Sendable {
    public var x: Double
    public var y: Double

    public init() {
        self.init(x: 0, y: 0)
    }

    public init(x: Double, y: Double) {
        (self.x, self.y) = (x, y)
    }

    public init(_ coordinate: CLLocationCoordinate2D) {
        let latitude = coordinate.latitude / 180 * .pi
        x = (coordinate.longitude + 180) / 360 * MKMapSize.world.width
        y = (1 - log(tan(.pi / 4 + latitude / 2)) / .pi) / 2 * MKMapSize.world.height
    }

    /// The coordinate; a point east of the map's eastern edge lies beyond the antimeridian.
    public var coordinate: CLLocationCoordinate2D {
        let longitude = (x / MKMapSize.world.width * 360 - 180).remainder(dividingBy: 360)
        let latitude = 2 * atan(exp((1 - 2 * y / MKMapSize.world.height) * .pi)) - .pi / 2
        return CLLocationCoordinate2D(latitude: latitude / .pi * 180, longitude: longitude)
    }
}

public struct MKMapSize: Sendable {
    public var width: Double
    public var height: Double

    public init() {
        self.init(width: 0, height: 0)
    }

    public init(width: Double, height: Double) {
        (self.width, self.height) = (width, height)
    }

    public static let world = MKMapSize(width: 268_435_456, height: 268_435_456)
}

public struct MKMapRect: Sendable {
    public var origin: MKMapPoint
    public var size: MKMapSize

    public init() {
        self.init(origin: MKMapPoint(), size: MKMapSize())
    }

    public init(origin: MKMapPoint, size: MKMapSize) {
        (self.origin, self.size) = (origin, size)
    }

    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(origin: MKMapPoint(x: x, y: y), size: MKMapSize(width: width, height: height))
    }

    public var minX: Double { origin.x }
    public var minY: Double { origin.y }
    public var midX: Double { origin.x + size.width / 2 }
    public var midY: Double { origin.y + size.height / 2 }
    public var maxX: Double { origin.x + size.width }
    public var maxY: Double { origin.y + size.height }
    public var width: Double { size.width }
    public var height: Double { size.height }

    public static let world = MKMapRect(origin: MKMapPoint(), size: .world)

    /// Whether a point is inside, also where the rectangle lies beyond the antimeridian.
    public func contains(_ point: MKMapPoint) -> Bool {
        let east = (point.x - minX).truncatingRemainder(dividingBy: MKMapSize.world.width)
        let inWidth = (east < 0 ? east + MKMapSize.world.width : east) <= width
        return inWidth && (minY...maxY).contains(point.y)
    }
}
