/// All operations for reading the device's location.
///
/// ``LocationProvider`` implements it over any source; for tests, use a provider over ``MemorySource``.
public protocol LocationService: LocationServicesChecking, LocationAuthorizing, SinglePositioning,
    PositionMonitoring
{}
