import HTTPTypes
import Synchronization
import YonderAccounts
import YonderGeodesy
import YonderModel
import YonderRules
import YonderJSON
import YonderREST

/// Searching for places, and for what is at a place, by those who are signed in.
///
/// `ServerAssembly` registers them; each function answers one request, on any thread, from the `Geocoder` that the
/// settings name: the gazetteer, Nominatim or both. Refusals are `missingField`, `invalidField`, `tooManyRequests` with
/// the time to wait, and `geocoderUnavailable`, also where there is no geocoder.
///
/// The limit of searches is by caller and process and may be changed. Paths, parameters and members of a candidate must
/// stay (`Documentation/rest.md`, `openapi.yaml`, `test_openapi.py`).
struct GeocodingEndpoints: Sendable {
    /// Thirty searches at once and ten a second: no person types faster.
    private static let limit = RateLimit(burst: 30, interval: .milliseconds(100))

    private let geocoder: (any Geocoder)?
    private let limiter = Limiter()
    private let uptime: @Sendable () -> ContinuousClock.Instant

    /// The searches of each caller.
    private final class Limiter: Sendable {
        let searches = Mutex(RateLimiter<UserID> { _ in limit })
    }

    init(geocoder: (any Geocoder)?, uptime: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.geocoder = geocoder
        self.uptime = uptime
    }

    func register(in routes: RESTRoutes) {
        let search: FieldNames = ["q", "limit", "near", "language", "partial"]
        routes.on(.get, "/v1/geocoding/search", query: search) { call throws(SharingError) in
            try await self.search(call)
        }
        let reverse: FieldNames = ["at", "limit", "language"]
        routes.on(.get, "/v1/geocoding/reverse", query: reverse) { call throws(SharingError) in
            try await self.reverse(call)
        }
    }

    private func search(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let parameters = call.query
        guard let text = parameters.string("q") else { throw SharingError(.missingField, "q is missing.") }
        let query = try GeocodingQuery(
            text,
            near: try parameters.coordinate("near"),
            language: try parameters.language("language"),
            isPartial: try parameters.boolean("partial") ?? false,
            limit: try parameters.limit() ?? GeocodingQuery.defaultLimit
        )
        let candidates = try await admitted(call).search(query)
        return .json { writer in
            writer.raw("{\"candidates\":")
            writer.list(candidates) { $0.candidate($1) }
            writer.raw("}")
        }
    }

    private func reverse(_ call: RESTCall) async throws(SharingError) -> RESTAnswer {
        let parameters = call.query
        guard let coordinate = try parameters.coordinate("at") else {
            throw SharingError(.missingField, "at is missing.")
        }
        let query = try ReverseGeocodingQuery(
            coordinate,
            language: try parameters.language("language"),
            limit: try parameters.limit() ?? 1
        )
        let found = try await admitted(call).reverse(query)
        return .json { writer in
            writer.raw("{\"candidates\":")
            writer.list(found) { $0.candidate($1.candidate, distance: $1.distance) }
            writer.raw("}")
        }
    }

    /// The geocoder, for a caller who hasn't searched too often.
    private func admitted(_ call: RESTCall) throws(SharingError) -> any Geocoder {
        guard let geocoder else {
            throw SharingError(.geocoderUnavailable, "No geocoder is available on this server.")
        }
        let (caller, now) = (try call.caller.user, uptime())
        let wait = limiter.searches.withLock { $0.take([caller], at: now) }
        if let wait {
            throw SharingError(.tooManyRequests, "Too many searches; wait for retryAfter.", retryAfter: wait)
        }
        return geocoder
    }
}

extension RESTQuery {
    fileprivate func limit() throws(SharingError) -> Int? {
        let limits = Int64(GeocodingQuery.limits.lowerBound)...Int64(GeocodingQuery.limits.upperBound)
        return try integer("limit", in: limits).map(Int.init)
    }

    fileprivate func language(_ name: StaticString) throws(SharingError) -> LanguageTag? {
        guard let text = string(name) else { return nil }
        guard let tag = LanguageTag(text) else {
            throw SharingError(.invalidField, "\(name) must be a language tag, such as de or pt-BR.")
        }
        return tag
    }
}

extension JSONWriter {
    /// Appends a candidate as REST has it.
    mutating func candidate(_ candidate: GeocodingCandidate, distance: Distance? = nil) {
        raw("{\"name\":")
        string(candidate.name)
        raw(",\"label\":")
        string(candidate.label)
        raw(",\"kind\":")
        string(candidate.kind.rawValue)
        raw(",\"latitude\":")
        double(candidate.coordinate.latitude)
        raw(",\"longitude\":")
        double(candidate.coordinate.longitude)
        raw(",\"address\":{")
        address(candidate.address)
        raw("}")
        optional(",\"population\":", candidate.population.map(Int64.init))
        if let extent = candidate.extent { self.extent(extent) }
        if let distance {
            raw(",\"distance\":")
            double(distance.meters)
        }
        raw(",\"source\":")
        string(candidate.source.name)
        raw(",\"attribution\":")
        string(candidate.source.attribution)
        raw("}")
    }

    private mutating func address(_ address: GeocodingAddress) {
        let parts: [(StaticString, String?)] = [
            ("\"houseNumber\":", address.houseNumber), ("\"street\":", address.street),
            ("\"postcode\":", address.postcode), ("\"settlement\":", address.settlement),
            ("\"division\":", address.division), ("\"country\":", address.country),
            ("\"countryCode\":", address.countryCode),
        ]
        var isFirst = true
        for (name, value) in parts {
            guard let value else { continue }
            if !isFirst { raw(",") }
            isFirst = false
            raw(name)
            string(value)
        }
    }

    private mutating func extent(_ extent: Region) {
        let edges: [(StaticString, Int32)] = [
            (",\"extent\":{\"south\":", extent.southEdge), (",\"west\":", extent.westEdge),
            (",\"north\":", extent.northEdge), (",\"east\":", extent.eastEdge),
        ]
        for (name, edge) in edges {
            raw(name)
            double(Double(edge) / Coordinate.roundedUnitsPerDegree)
        }
        raw("}")
    }
}
