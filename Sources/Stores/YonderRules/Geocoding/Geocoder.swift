package import YonderModel

/// Finds places by their name or address, and names for places.
///
/// The gazetteer in `YonderStorage` knows towns and works offline; the client in `YonderServer` queries other
/// servers, which know streets. Neither blocks an event loop, and both end early when the task is canceled.
///
/// Every implementation passes the conformance suite in `TestSupport/Geocoding`.
package protocol Geocoder: Sendable {
    /// Returns the places that a text may mean, best first, up to the query's limit; empty if none is found.
    ///
    /// - Throws: `geocoderUnavailable` if the geocoder can't answer now; `tooManyRequests`.
    func search(_ query: GeocodingQuery) async throws(SharingError) -> [GeocodingCandidate]

    /// Returns the places at a coordinate or nearest to it, nearest first, up to the query's limit.
    ///
    /// - Throws: `geocoderUnavailable` if the geocoder can't answer now; `tooManyRequests`.
    func reverse(_ query: ReverseGeocodingQuery) async throws(SharingError) -> [NearbyCandidate]
}
