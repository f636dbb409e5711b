import YonderGeodesy
package import YonderModel
import YonderRules

/// Knows what it was told, or refuses everything.
package struct FixedGeocoder: Geocoder {
    private let answer: Result<[GeocodingCandidate], SharingError>

    /// Knows some places, which every search finds, in their order.
    package init(_ candidates: [GeocodingCandidate]) {
        answer = .success(candidates)
    }

    /// Refuses everything.
    package init(refusing error: SharingError) {
        answer = .failure(error)
    }

    /// As many of what it knows as are asked for.
    package func search(_ query: GeocodingQuery) async throws(SharingError) -> [GeocodingCandidate] {
        Array(try answer.get().prefix(query.limit))
    }

    /// As many of what it knows as are asked for, with their distances.
    package func reverse(_ query: ReverseGeocodingQuery) async throws(SharingError) -> [NearbyCandidate] {
        try answer.get().prefix(query.limit).map {
            NearbyCandidate($0, distance: $0.coordinate.distance(to: query.coordinate))
        }
    }
}
