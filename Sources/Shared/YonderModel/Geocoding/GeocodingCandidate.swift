public import YonderGeodesy

/// A place that a text may mean, or that lies near a coordinate.
///
/// The server's geocoders make it, the gazetteer and Nominatim (`YonderGeocoding`), for `/v1/geocoding/search`, and in a
/// ``NearbyCandidate`` for `/v1/geocoding/reverse`; `GeocodingEndpoints` writes it as JSON, and `RESTClient.places(_:)` and
/// `places(at:)` read it. `TownTiles` draws the largest towns of a part of the map. Creating one never fails, and no text is
/// checked here; a client that can't read an answer throws.
///
/// The names of members and the raw values of ``Kind-swift.struct`` are the wire's and must stay (`Documentation/rest.md`,
/// `GeocodingEndpointTests`); a further kind may be added, because clients accept any.
public struct GeocodingCandidate: Hashable, Sendable {
    /// The place's name: a town's name, a street, or a house number and street.
    public var name: String

    /// The address to which the place belongs.
    public var address: GeocodingAddress

    /// The place's position.
    public var coordinate: Coordinate

    /// The kind of place.
    public var kind: Kind

    /// The number of inhabitants, or `nil` if unknown.
    public var population: Int?

    /// The area that the place covers, or `nil` if unknown.
    public var extent: Region?

    /// The source of this data.
    public var source: GeocodingSource

    /// Creates a candidate.
    public init(
        name: String,
        address: GeocodingAddress = GeocodingAddress(),
        coordinate: Coordinate,
        kind: Kind,
        population: Int? = nil,
        extent: Region? = nil,
        source: GeocodingSource
    ) {
        self.name = name
        self.address = address
        self.coordinate = coordinate
        self.kind = kind
        self.population = population
        self.extent = extent
        self.source = source
    }

    /// The name and the place's settlement, division and country, in one line for a list or a form.
    ///
    /// Street and postcode aren't in it. A part that equals the one before it is left out, as in *Bremen, Bremen*; one that
    /// equals an earlier part isn't. The endpoints send it as `label`.
    public var label: String {
        let whole = [name, address.settlement, address.division, address.country]
        var parts: [String] = []
        for part in whole.compactMap(\.self) where !part.isEmpty && parts.last != part { parts.append(part) }
        return parts.joined(separator: ", ")
    }

    /// The kinds of place.
    ///
    /// Open-ended: a newer server's kind survives an older client.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name on the wire.
        public let rawValue: String

        /// Creates a kind by its name on the wire, known here or not.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// A house or another address with a number.
        public static let house = Self("house")
        /// A street or road.
        public static let street = Self("street")
        /// A part of a town.
        public static let district = Self("district")
        /// A town, a city, a village.
        public static let settlement = Self("settlement")
        /// A state, a province, a county.
        public static let division = Self("division")
        /// A country.
        public static let country = Self("country")
        /// Any other named place: a shop, a mountain, a stop.
        public static let landmark = Self("landmark")

        /// The kind's name on the wire.
        public var description: String { rawValue }
    }
}

/// A candidate with its distance.
public struct NearbyCandidate: Hashable, Sendable {
    /// The candidate.
    public var candidate: GeocodingCandidate

    /// The great-circle distance from the coordinate of the query.
    public var distance: Distance

    /// Creates a candidate with its distance.
    public init(_ candidate: GeocodingCandidate, distance: Distance) {
        self.candidate = candidate
        self.distance = distance
    }
}

/// The address to which a place belongs; parts that the source doesn't give are `nil`.
public struct GeocodingAddress: Hashable, Sendable {
    /// The number of the house.
    public var houseNumber: String?
    /// The street.
    public var street: String?
    /// The postal code.
    public var postcode: String?
    /// The town, city or village.
    public var settlement: String?
    /// The state or province.
    public var division: String?
    /// The country's name.
    public var country: String?
    /// The country's two letters (ISO 3166-1), in capitals.
    public var countryCode: String?

    /// Creates an address from the known parts.
    public init(
        houseNumber: String? = nil,
        street: String? = nil,
        postcode: String? = nil,
        settlement: String? = nil,
        division: String? = nil,
        country: String? = nil,
        countryCode: String? = nil
    ) {
        self.houseNumber = houseNumber
        self.street = street
        self.postcode = postcode
        self.settlement = settlement
        self.division = division
        self.country = country
        self.countryCode = countryCode
    }
}

/// The source of a candidate, and the credit that must be shown with it.
public struct GeocodingSource: Hashable, Sendable {
    /// The source's name: `gazetteer`, or the host of the server that answered.
    public var name: String

    /// The credit that the source's license requires.
    ///
    /// The page and an app show it beside the results. It is empty only if a
    /// Nominatim server sends an empty one.
    public var attribution: String

    /// Creates a source.
    public init(name: String, attribution: String) {
        self.name = name
        self.attribution = attribution
    }
}
