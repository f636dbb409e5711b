package import YonderGeodesy
package import YonderModel
package import YonderRules

/// Names for people's positions, out of the server's own data.
///
/// The regions' streets and villages come first, then the gazetteer's towns. No address server is asked unless the operator
/// gave one for people's positions, too.
///
/// `ServerProcess` makes one, `PlaceNameEndpoints` asks it for each position, on any thread. Nothing throws: a source
/// that fails is passed over for the next one. That a position is named no finer than its accuracy must stay, and that
/// it is sent to another server only where the operator chose that (`Documentation/operations.md`, `PlaceNameTests`).
/// The distances may be changed.
package struct PlaceNaming: Sendable {
    /// Farther than this from a town a position has no name.
    private static let reach = Distance.kilometers(30)

    /// From this accuracy on no street is named, and from the second on no village.
    private static let coarse = (streets: Distance.meters(150), villages: Distance.kilometers(3))

    private let regions: [RegionNames]
    private let gazetteer: (any Geocoder)?
    private let upstream: (any Geocoder)?

    /// Names by these; `upstream` is asked first, if there is one.
    package init(
        regions: [RegionNames] = [],
        gazetteer: (any Geocoder)? = nil,
        upstream: (any Geocoder)? = nil
    ) {
        self.regions = regions
        self.gazetteer = gazetteer
        self.upstream = upstream
    }

    /// The name of a position, no finer than its accuracy; `nil` if nothing is near.
    package func name(
        at coordinate: Coordinate,
        accuracy: Distance?,
        language: LanguageTag? = nil
    ) async -> PlaceName? {
        let accuracy = accuracy ?? .zero
        guard accuracy < Self.reach else { return nil }
        let hasStreets = accuracy <= Self.coarse.streets
        if hasStreets, let name = await askUpstream(coordinate, language) { return name }
        if accuracy <= Self.coarse.villages {
            for region in regions {
                if let name = region.name(at: coordinate, withStreets: hasStreets) { return name }
            }
        }
        let near = await nearest(coordinate, of: gazetteer, language)
        guard let near, near.distance <= Self.reach else { return nil }
        return PlaceName(street: nil, settlement: near.candidate.name, distance: max(near.distance, accuracy))
    }

    private func askUpstream(_ coordinate: Coordinate, _ language: LanguageTag?) async -> PlaceName? {
        guard let near = await nearest(coordinate, of: upstream, language) else { return nil }
        let address = near.candidate.address
        let settlement =
            address.settlement ?? (near.candidate.kind == .settlement ? near.candidate.name : nil)
        guard address.street != nil || settlement != nil else { return nil }
        return PlaceName(street: address.street, settlement: settlement, distance: near.distance)
    }

    private func nearest(
        _ coordinate: Coordinate,
        of geocoder: (any Geocoder)?,
        _ language: LanguageTag?
    ) async -> NearbyCandidate? {
        guard let geocoder else { return nil }
        do throws(SharingError) {
            return try await geocoder.reverse(try ReverseGeocodingQuery(coordinate, language: language)).first
        } catch {
            // A name is a convenience: without one the page shows coordinates.
            return nil
        }
    }
}
