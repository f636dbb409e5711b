import YonderGeodesy
import YonderModel

/// A request to a Nominatim server, as a path with a query; also the key of its answer in the cache.
///
/// `NominatimGeocoder` makes one for each question and looks it up in its cache before it asks. Nothing fails. What
/// leaves the server is only what stands here: no user, and a position no finer than said, which must stay
/// (`Documentation/operations.md`, `UpstreamValueTests`). Paths and names of parameters are Nominatim's.
struct NominatimRequest: Hashable, Sendable {
    /// The path and query, to be appended to the server's address.
    let target: String

    /// A search, whose bias goes out rounded to a tenth of a degree, as a box that isn't a bound.
    init(_ query: GeocodingQuery) {
        var items = [("q", query.text), ("limit", String(query.limit))]
        if let bias = query.bias { items.append(("viewbox", Self.box(around: bias))) }
        target = Self.target("/search", items, query.language)
    }

    /// A reverse lookup of a coordinate, rounded to five decimals: about a meter.
    init(_ query: ReverseGeocodingQuery) {
        let items = [
            ("lat", Self.decimals(query.coordinate.latitude, 100_000)),
            ("lon", Self.decimals(query.coordinate.longitude, 100_000)),
        ]
        target = Self.target("/reverse", items, query.language)
    }

    /// Whether it is well.
    static let status = NominatimRequest(target: "/status?format=json")

    private init(target: String) {
        self.target = target
    }

    private static func target(_ path: String, _ items: [(String, String)], _ language: LanguageTag?)
        -> String
    {
        var items = [("format", "jsonv2"), ("addressdetails", "1")] + items
        if let language { items.append(("accept-language", language.description)) }
        return path + "?" + items.map { "\($0)=\(escaped($1))" }.joined(separator: "&")
    }

    private static func box(around bias: Coordinate) -> String {
        let (latitude, longitude) = (bias.latitude, bias.longitude)
        let edges = [
            max(-180, longitude - 1), min(90, latitude + 1), min(180, longitude + 1), max(-90, latitude - 1),
        ]
        return edges.map { decimals($0, 10) }.joined(separator: ",")
    }

    private static func decimals(_ degrees: Double, _ factor: Double) -> String {
        // Zero without a sign, so that two alike questions are one.
        "\((degrees * factor).rounded() / factor + 0)"
    }

    /// All but RFC 3986's unreserved characters as `%XX`.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                escaped += digits.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return escaped
    }
}
