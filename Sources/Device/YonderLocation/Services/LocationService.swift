/// All operations for reading the device's location.
///
/// ``LocationProvider`` implements it over any source; for tests, use a provider over ``MemorySource``.
///
/// Apps and the app models take one, so that tests can give them another (`LocationBench`). A further part would break apps
/// that implement it (`make check-api`).
public protocol LocationService: LocationServicesChecking, LocationAuthorizing, SinglePositioning,
    PositionMonitoring
{}
