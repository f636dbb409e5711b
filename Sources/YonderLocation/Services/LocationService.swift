/// All that the device can be asked about where it is.
///
/// ``LocationProvider`` is one, over any source; over ``MemorySource`` it is the one for tests.
public protocol LocationService: LocationServicesChecking, LocationAuthorizing, SinglePositioning,
    PositionMonitoring
{}
