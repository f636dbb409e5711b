public import YonderGeodesy
import YonderLink
public import YonderModel

// Places by name or address, and names for places. Apps call these functions, from any task; those are
// `GET /v1/geocoding/search` and `reverse`, and `POST /v1/geocoding/names`. Beside the errors named they throw what every
// call does (`RESTClient`). A place that can't be read throws `internalError` for the whole answer. Names of members are the
// server's (`Documentation/rest.md`); one that older servers don't send must be optional (`RESTClientTests`).
extension RESTClient {
    /// The places that a text may mean, best first.
    ///
    /// - Throws: `unavailable` if the server has no source of places.
    public func places(_ query: GeocodingQuery) async throws(SharingError) -> [GeocodingCandidate] {
        var fields = Query()
        fields.add("q", query.text)
        fields.add("limit", query.limit)
        fields.add("near", query.bias.map(Self.pair))
        fields.add("language", query.language)
        if query.isPartial { fields.add("partial", true) }
        let answer: CandidatesAnswer = try await get("/v1/geocoding/search\(fields.text)")
        return try answer.candidates.map { candidate throws(SharingError) in try GeocodingCandidate(candidate)
        }
    }

    /// The places at a coordinate, or else nearest to it.
    ///
    /// - Throws: `unavailable` if the server has no source of places.
    public func places(at query: ReverseGeocodingQuery) async throws(SharingError) -> [NearbyCandidate] {
        var fields = Query()
        fields.add("at", Self.pair(query.coordinate))
        fields.add("limit", query.limit)
        fields.add("language", query.language)
        let answer: CandidatesAnswer = try await get("/v1/geocoding/reverse\(fields.text)")
        return try answer.candidates.map { candidate throws(SharingError) in
            NearbyCandidate(
                try GeocodingCandidate(candidate),
                distance: .meters(candidate.distance ?? 0)
            )
        }
    }

    /// Names for people's positions, out of the server's own data.
    ///
    /// - Parameters:
    ///   - positions: At most 50, each with its accuracy, or with `nil` if it is exact; a name is no finer.
    ///   - language: The preferred language.
    /// - Returns: A name a position, in the same order; `nil` farther than 30 km from any town.
    /// - Throws: `invalidField` for more than 50 positions; and what every call throws.
    public func names(
        of positions: [(coordinate: Coordinate, accuracy: Distance?)],
        language: LanguageTag? = nil
    ) async throws(SharingError) -> [PlaceName?] {
        let fields = NamesFields(
            positions: positions.map {
                NamesFields.Position(
                    latitude: $0.coordinate.latitude,
                    longitude: $0.coordinate.longitude,
                    accuracy: $0.accuracy?.meters
                )
            },
            language: language?.description
        )
        let answer: NamesAnswer = try await change(.post, "/v1/geocoding/names", fields)
        return answer.names.map { name in
            name.map {
                PlaceName(street: $0.street, settlement: $0.settlement, distance: .meters($0.distance))
            }
        }
    }

    private static func pair(_ coordinate: Coordinate) -> String {
        "\(coordinate.latitude),\(coordinate.longitude)"
    }
}

private struct CandidatesAnswer: Decodable {
    let candidates: [CandidateAnswer]
}

private struct CandidateAnswer: Decodable {
    struct Address: Decodable {
        let houseNumber: String?
        let street: String?
        let postcode: String?
        let settlement: String?
        let division: String?
        let country: String?
        let countryCode: String?
    }

    struct Extent: Decodable {
        let south: Double
        let west: Double
        let north: Double
        let east: Double
    }

    let name: String
    let kind: String
    let latitude: Double
    let longitude: Double
    let address: Address
    let population: Int?
    let extent: Extent?
    let distance: Double?
    let source: String
    let attribution: String
}

extension GeocodingCandidate {
    /// - Throws: `internalError` for a place that isn't on the Earth.
    fileprivate init(_ answer: CandidateAnswer) throws(SharingError) {
        guard let coordinate = Coordinate(latitude: answer.latitude, longitude: answer.longitude) else {
            throw SharingError(.internalError, "The server's answer has a place that isn't on the Earth.")
        }
        self.init(
            name: answer.name,
            address: GeocodingAddress(
                houseNumber: answer.address.houseNumber,
                street: answer.address.street,
                postcode: answer.address.postcode,
                settlement: answer.address.settlement,
                division: answer.address.division,
                country: answer.address.country,
                countryCode: answer.address.countryCode
            ),
            coordinate: coordinate,
            kind: Kind(answer.kind),
            population: answer.population,
            extent: answer.extent.flatMap {
                Region(west: $0.west, south: $0.south, east: $0.east, north: $0.north)
            },
            source: GeocodingSource(name: answer.source, attribution: answer.attribution)
        )
    }
}

private struct NamesFields: Encodable {
    struct Position: Encodable {
        let latitude: Double
        let longitude: Double
        let accuracy: Double?
    }

    let positions: [Position]
    let language: String?
}

private struct NamesAnswer: Decodable {
    struct Name: Decodable {
        let street: String?
        let settlement: String?
        let distance: Double
    }

    let names: [Name?]
}
