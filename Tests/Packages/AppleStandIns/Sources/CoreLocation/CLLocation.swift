// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported public import Foundation

/// Degrees of latitude or longitude.
public typealias CLLocationDegrees = Double

/// Meters.
public typealias CLLocationDistance = Double

/// Meters, or one of the negative values that stand for a wish.
public typealias CLLocationAccuracy = Double

/// Meters per second.
public typealias CLLocationSpeed = Double

/// Meters per second.
public typealias CLLocationSpeedAccuracy = Double

/// Degrees clockwise from north.
public typealias CLLocationDirection = Double

/// Degrees.
public typealias CLLocationDirectionAccuracy = Double

/// A point in WGS 84 degrees.
public struct CLLocationCoordinate2D: Sendable {
    public var latitude: CLLocationDegrees
    public var longitude: CLLocationDegrees

    public init() {
        self.init(latitude: 0, longitude: 0)
    }

    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees,
    _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
    abs(coordinate.latitude) <= 90 && abs(coordinate.longitude) <= 180
}

/// A floor of a building, the ground floor being 0.
open class CLFloor: NSObject {
    open var level: Int { 0 }
}

/// Whether a program or an accessory made the location.
open class CLLocationSourceInformation: NSObject, @unchecked Sendable {
    // Safe because nothing changes after the initializer.
    open var isSimulatedBySoftware: Bool { simulated }
    open var isProducedByAccessory: Bool { accessory }

    private let simulated: Bool
    private let accessory: Bool

    public init(softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool) {
        simulated = isSoftware
        accessory = isAccessory
    }
}

/// Where a device was.
///
/// A negative accuracy, course or speed says that the value it belongs to is invalid.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Safe because nothing changes after the initializer.
    private let values: Values

    open var coordinate: CLLocationCoordinate2D { values.coordinate }
    open var altitude: CLLocationDistance { values.altitude }
    open var ellipsoidalAltitude: CLLocationDistance { values.altitude }
    open var horizontalAccuracy: CLLocationAccuracy { values.horizontalAccuracy }
    open var verticalAccuracy: CLLocationAccuracy { values.verticalAccuracy }
    open var course: CLLocationDirection { values.course }
    open var courseAccuracy: CLLocationDirectionAccuracy { values.courseAccuracy }
    open var speed: CLLocationSpeed { values.speed }
    open var speedAccuracy: CLLocationSpeedAccuracy { values.speedAccuracy }
    open var timestamp: Date { values.timestamp }
    open var floor: CLFloor? { nil }
    open var sourceInformation: CLLocationSourceInformation? { values.source }

    /// A location that is known exactly, and of which nothing else is known.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        values = Values(coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude))
    }

    public init(
        coordinate: CLLocationCoordinate2D,
        altitude: CLLocationDistance,
        horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy,
        timestamp: Date
    ) {
        values = Values(
            coordinate: coordinate,
            altitude: altitude,
            horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy,
            timestamp: timestamp
        )
    }

    public init(
        coordinate: CLLocationCoordinate2D,
        altitude: CLLocationDistance,
        horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy,
        course: CLLocationDirection,
        speed: CLLocationSpeed,
        timestamp: Date
    ) {
        values = Values(
            coordinate: coordinate,
            altitude: altitude,
            horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy,
            course: course,
            speed: speed,
            timestamp: timestamp
        )
    }

    public init(
        coordinate: CLLocationCoordinate2D,
        altitude: CLLocationDistance,
        horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy,
        course: CLLocationDirection,
        courseAccuracy: CLLocationDirectionAccuracy,
        speed: CLLocationSpeed,
        speedAccuracy: CLLocationSpeedAccuracy,
        timestamp: Date
    ) {
        values = Values(
            coordinate: coordinate,
            altitude: altitude,
            horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy,
            course: course,
            courseAccuracy: courseAccuracy,
            speed: speed,
            speedAccuracy: speedAccuracy,
            timestamp: timestamp
        )
    }

    public init(
        coordinate: CLLocationCoordinate2D,
        altitude: CLLocationDistance,
        horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy,
        course: CLLocationDirection,
        courseAccuracy: CLLocationDirectionAccuracy,
        speed: CLLocationSpeed,
        speedAccuracy: CLLocationSpeedAccuracy,
        timestamp: Date,
        sourceInfo: CLLocationSourceInformation
    ) {
        values = Values(
            coordinate: coordinate,
            altitude: altitude,
            horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy,
            course: course,
            courseAccuracy: courseAccuracy,
            speed: speed,
            speedAccuracy: speedAccuracy,
            timestamp: timestamp,
            source: sourceInfo
        )
    }

    /// How far away another location is, in meters along the curve of the Earth, taken as a sphere.
    open func distance(from location: CLLocation) -> CLLocationDistance {
        let here = coordinate
        let there = location.coordinate
        let north = (there.latitude - here.latitude) * .pi / 180
        let east = (there.longitude - here.longitude) * .pi / 180
        let cosines = cos(here.latitude * .pi / 180) * cos(there.latitude * .pi / 180)
        let haversine = pow(sin(north / 2), 2) + cosines * pow(sin(east / 2), 2)
        return 2 * 6_371_008.8 * asin(min(1, haversine.squareRoot()))
    }

    // MARK: Copying and coding

    open func copy(with zone: NSZone? = nil) -> Any {
        self
    }

    public static var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        values = Values(coder: coder)
    }

    open func encode(with coder: NSCoder) {
        values.encode(with: coder)
    }
}

/// What a location says, with Core Location's values for what it doesn't.
private struct Values {
    var coordinate: CLLocationCoordinate2D
    var altitude: CLLocationDistance = 0
    var horizontalAccuracy: CLLocationAccuracy = 0
    var verticalAccuracy: CLLocationAccuracy = -1
    var course: CLLocationDirection = -1
    var courseAccuracy: CLLocationDirectionAccuracy = -1
    var speed: CLLocationSpeed = -1
    var speedAccuracy: CLLocationSpeedAccuracy = -1
    var timestamp = Date()
    var source: CLLocationSourceInformation?
}

extension Values {
    init(coder: NSCoder) {
        coordinate = CLLocationCoordinate2D(
            latitude: coder.decodeDouble(forKey: "latitude"),
            longitude: coder.decodeDouble(forKey: "longitude")
        )
        altitude = coder.decodeDouble(forKey: "altitude")
        horizontalAccuracy = coder.decodeDouble(forKey: "horizontalAccuracy")
        verticalAccuracy = coder.decodeDouble(forKey: "verticalAccuracy")
        course = coder.decodeDouble(forKey: "course")
        courseAccuracy = coder.decodeDouble(forKey: "courseAccuracy")
        speed = coder.decodeDouble(forKey: "speed")
        speedAccuracy = coder.decodeDouble(forKey: "speedAccuracy")
        timestamp = Date(timeIntervalSince1970: coder.decodeDouble(forKey: "timestamp"))
    }

    func encode(with coder: NSCoder) {
        coder.encode(coordinate.latitude, forKey: "latitude")
        coder.encode(coordinate.longitude, forKey: "longitude")
        coder.encode(altitude, forKey: "altitude")
        coder.encode(horizontalAccuracy, forKey: "horizontalAccuracy")
        coder.encode(verticalAccuracy, forKey: "verticalAccuracy")
        coder.encode(course, forKey: "course")
        coder.encode(courseAccuracy, forKey: "courseAccuracy")
        coder.encode(speed, forKey: "speed")
        coder.encode(speedAccuracy, forKey: "speedAccuracy")
        coder.encode(timestamp.timeIntervalSince1970, forKey: "timestamp")
    }
}
