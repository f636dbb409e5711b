import CoreLocation

/// A manager that notes what it is told and says what a test lets it say.
class MockManager: CLLocationManager {
    enum Call: Equatable {
        case startUpdatingLocation, stopUpdatingLocation
        case startUpdatingHeading, stopUpdatingHeading
        case requestLocation
        case requestWhenInUse, requestAlways
    }

    private(set) var calls: [Call] = []
    private(set) var wasAlwaysCalledOnMainQueue = true
    private let mark = DispatchSpecificKey<Bool>()
    var status = CLAuthorizationStatus.notDetermined

    override init() {
        super.init()
        DispatchQueue.main.setSpecific(key: mark, value: true)
        // Other than what anyone would set.
        super.desiredAccuracy = kCLLocationAccuracyKilometer
        super.headingFilter = kCLHeadingFilterNone
    }

    override var authorizationStatus: CLAuthorizationStatus { status }

    override class func locationServicesEnabled() -> Bool { false }

    /// Whether it follows the device.
    var isUpdatingLocation: Bool {
        calls.last { $0 == .startUpdatingLocation || $0 == .stopUpdatingLocation } == .startUpdatingLocation
    }

    private func note(_ call: Call) {
        calls.append(call)
        if DispatchQueue.getSpecific(key: mark) != true { wasAlwaysCalledOnMainQueue = false }
    }

    override func startUpdatingLocation() { note(.startUpdatingLocation) }
    override func stopUpdatingLocation() { note(.stopUpdatingLocation) }
    override func startUpdatingHeading() { note(.startUpdatingHeading) }
    override func stopUpdatingHeading() { note(.stopUpdatingHeading) }
    override func requestLocation() { note(.requestLocation) }
    override func requestWhenInUseAuthorization() { note(.requestWhenInUse) }
    override func requestAlwaysAuthorization() { note(.requestAlways) }

    func allow(_ status: CLAuthorizationStatus) {
        self.status = status
        delegate?.locationManagerDidChangeAuthorization?(self)
    }

    func find(_ locations: CLLocation...) {
        delegate?.locationManager?(self, didUpdateLocations: locations)
    }

    func turn(to heading: CLHeading) {
        delegate?.locationManager?(self, didUpdateHeading: heading)
    }

    func fail(_ error: any Error) {
        delegate?.locationManager?(self, didFailWithError: error)
    }
}

final class MockHeading: CLHeading {
    private let values: (magnetic: Double, true: Double, accuracy: Double)

    init(magnetic: Double, true trueNorth: Double, accuracy: Double) {
        values = (magnetic, trueNorth, accuracy)
        super.init()
    }

    required init?(coder: NSCoder) { nil }

    override var magneticHeading: Double { values.magnetic }
    override var trueHeading: Double { values.true }
    override var headingAccuracy: Double { values.accuracy }
}

extension CLLocation {
    /// A location of which only the latitude matters, known to ten meters.
    static func at(_ latitude: Double, time: Date = Date(timeIntervalSince1970: 1_700_000_000)) -> CLLocation
    {
        CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: 11),
            altitude: 0,
            horizontalAccuracy: 10,
            verticalAccuracy: -1,
            timestamp: time
        )
    }
}
