/// Finds places by their name or address, and names for places.
///
/// The gazetteer in `YonderStorage` knows towns and needs nobody else; `YonderServer` asks servers that know streets.
/// Neither keeps an event loop waiting, and both end early when the task is canceled.
///
/// Every implementation passes the conformance suite in `Tests/TestSupport/Geocoding`.
public protocol Geocoder: Sendable {
    /// The places that a text may mean, best first, at most as many as asked for; none if it knows none.
    ///
    /// - Throws: `geocoderUnavailable` if it can't answer now; `tooManyRequests`.
    func search(_ query: GeocodingQuery) async throws(SharingError) -> [GeocodingCandidate]

    /// What is at a coordinate, or else nearest to it, nearest first, at most as many as asked for.
    ///
    /// - Throws: `geocoderUnavailable` if it can't answer now; `tooManyRequests`.
    func reverse(_ query: ReverseGeocodingQuery) async throws(SharingError) -> [NearbyCandidate]
}
