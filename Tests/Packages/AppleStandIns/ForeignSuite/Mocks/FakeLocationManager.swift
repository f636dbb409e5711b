import CoreLocation

class FakeLocationManager: CLLocationManager {
    static var servicesAreOn = true

    var status: CLAuthorizationStatus = .notDetermined
    var lastKnown: CLLocation?
    private(set) var delegateWasSet = 0
    private(set) var isUpdatingLocation = false
    private(set) var isUpdatingHeading = false
    private(set) var singleRequests = 0
    private(set) var prompts: [String] = []

    override class func locationServicesEnabled() -> Bool {
        servicesAreOn
    }

    override var delegate: CLLocationManagerDelegate? {
        didSet { delegateWasSet += 1 }
    }

    override var authorizationStatus: CLAuthorizationStatus {
        status
    }

    override var location: CLLocation? {
        lastKnown
    }

    override func startUpdatingLocation() {
        isUpdatingLocation = true
    }

    override func stopUpdatingLocation() {
        isUpdatingLocation = false
    }

    override func startUpdatingHeading() {
        isUpdatingHeading = true
    }

    override func stopUpdatingHeading() {
        isUpdatingHeading = false
    }

    override func requestLocation() {
        singleRequests += 1
    }

    override func requestWhenInUseAuthorization() {
        prompts.append("when in use")
        decide(.authorizedWhenInUse)
    }

    override func requestAlwaysAuthorization() {
        prompts.append("always")
        decide(.authorizedAlways)
    }

    func decide(_ newStatus: CLAuthorizationStatus) {
        status = newStatus
        delegate?.locationManagerDidChangeAuthorization?(self)
    }

    func deliver(_ locations: [CLLocation]) {
        lastKnown = locations.last
        delegate?.locationManager?(self, didUpdateLocations: locations)
    }

    func deliver(_ heading: CLHeading) {
        delegate?.locationManager?(self, didUpdateHeading: heading)
    }

    func breakDown(_ error: Error = CLError(.locationUnknown)) {
        delegate?.locationManager?(self, didFailWithError: error)
    }
}

class FakeHeading: CLHeading {
    var magnetic: CLLocationDirection = -1
    var geographic: CLLocationDirection = -1
    var deviation: CLLocationDirection = -1

    override var magneticHeading: CLLocationDirection { magnetic }
    override var trueHeading: CLLocationDirection { geographic }
    override var headingAccuracy: CLLocationDirection { deviation }
}
