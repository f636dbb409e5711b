package import YonderModel
package import YonderRules

/// Asks one geocoder, and another where the first knows nothing or can't answer.
///
/// Each candidate says whom it comes from.
///
/// `ServerProcess` puts the Nominatim server before the gazetteer, or the gazetteer alone. The error of the second is
/// thrown if both fail. That an answer names its source must stay, as licenses ask for it (`NominatimGeocoderTests`).
package struct FallbackGeocoder: Geocoder {
    private let first: any Geocoder
    private let second: any Geocoder

    /// Puts `first` before `second`.
    package init(_ first: any Geocoder, else second: any Geocoder) {
        self.first = first
        self.second = second
    }

    package func search(_ query: GeocodingQuery) async throws(SharingError) -> [GeocodingCandidate] {
        do throws(SharingError) {
            let found = try await first.search(query)
            if !found.isEmpty { return found }
        } catch {
            if Task.isCancelled { throw error }
        }
        return try await second.search(query)
    }

    package func reverse(_ query: ReverseGeocodingQuery) async throws(SharingError) -> [NearbyCandidate] {
        do throws(SharingError) {
            let found = try await first.reverse(query)
            if !found.isEmpty { return found }
        } catch {
            if Task.isCancelled { throw error }
        }
        return try await second.reverse(query)
    }
}
