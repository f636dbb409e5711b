public import YonderGeodesy

/// A place that a text may mean.
public struct GeocodingCandidate: Hashable, Sendable {
    /// What it is called: a town's name, a street, a house's number and street.
    public var name: String

    /// Where it belongs.
    public var address: GeocodingAddress

    /// Its place on the map.
    public var coordinate: Coordinate

    /// What kind of place it is.
    public var kind: Kind

    /// How many people live there, or `nil` if nobody said.
    public var population: Int?

    /// How far it reaches, or `nil` if nobody said.
    public var extent: Region?

    /// Who said so.
    public var source: GeocodingSource

    /// Names it all.
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

    /// The name and where it belongs, in one line, as a list or a form shows it.
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
        /// As it stands on the wire.
        public let rawValue: String

        /// Takes a kind from the wire, known here or not.
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
        /// Anything else that has a name: a shop, a mountain, a stop.
        public static let landmark = Self("landmark")

        /// As it stands on the wire.
        public var description: String { rawValue }
    }
}

/// A candidate, and how far away it is.
public struct NearbyCandidate: Hashable, Sendable {
    /// What is there.
    public var candidate: GeocodingCandidate

    /// The great-circle distance from where was asked.
    public var distance: Distance

    /// Joins them.
    public init(_ candidate: GeocodingCandidate, distance: Distance) {
        self.candidate = candidate
        self.distance = distance
    }
}

/// Where a place belongs; what its source didn't say is `nil`.
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

    /// Names what is known.
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

/// Where a candidate comes from, and what must be shown with it.
public struct GeocodingSource: Hashable, Sendable {
    /// What it is called: `gazetteer`, or the host that was asked.
    public var name: String

    /// The credit that its licence asks for.
    public var attribution: String

    /// Joins them.
    public init(name: String, attribution: String) {
        self.name = name
        self.attribution = attribution
    }
}
