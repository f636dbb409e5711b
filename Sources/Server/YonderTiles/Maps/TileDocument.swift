/// The usable members of a TileJSON document or of an archive's metadata.
///
/// Others write these documents, so each member is read for itself: one of another type counts as missing.
///
/// `MapWeb` reads one from another server, `TileSource` from an archive, `MapStyleReader` from a style. Nothing traps;
/// without tiles in it a document is no map, which the caller decides. Credits are shown as text, because foreign HTML
/// must not get into the page: ``plain(_:)`` must stay (`MapLoaderTests`).
struct TileDocument: Hashable, Sendable {
    /// The most layers and characters that are kept.
    enum Limit {
        static let layers = 200
        static let text = 500
    }

    /// The address of a tile, with `{z}`, `{x}` and `{y}`: the first there is.
    var template: String?

    /// The first and the last zoom.
    var minimumZoom: Int?
    var maximumZoom: Int?

    /// The area that has tiles.
    var bounds: MapBounds?

    /// The attribution to show, as plain text.
    var attribution = ""

    /// The names of the vector layers.
    var layers: [String] = []

    /// Whether rows are counted from the south.
    var countsFromSouth = false

    /// Creates an empty document.
    init() {}

    /// Reads a JSON text.
    ///
    /// - Returns: `nil` if it isn't a JSON object.
    init?(_ bytes: [UInt8]) {
        guard let object = JSONValue(bytes)?.members else { return nil }
        template = object["tiles"]?.items?.lazy.compactMap(\.text).first
        minimumZoom = Self.zoom(object["minzoom"])
        maximumZoom = Self.zoom(object["maxzoom"])
        bounds = Self.bounds(object["bounds"])
        attribution = Self.plain(object["attribution"]?.text ?? "")
        countsFromSouth = object["scheme"]?.text == "tms"
        let named = (object["vector_layers"]?.items ?? []).prefix(Limit.layers)
        layers = named.compactMap { $0.members?["id"]?.text }
    }

    private static func zoom(_ value: JSONValue?) -> Int? {
        let number = value?.number ?? value?.text.flatMap(Double.init)
        guard let number, (0...Double(TileCoordinate.maximumZoom)).contains(number) else { return nil }
        return Int(number)
    }

    private static func bounds(_ value: JSONValue?) -> MapBounds? {
        let edges = value?.items?.compactMap(\.number) ?? []
        guard edges.count == 4 else { return nil }
        return MapBounds(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
    }

    /// A text without tags and the entities that credits have; the page shows it as text.
    static func plain(_ html: String) -> String {
        var text = ""
        var isInTag = false
        for character in html.prefix(Limit.text * 4) {
            switch character {
            case "<": isInTag = true
            case ">" where isInTag: isInTag = false
            default: if !isInTag { text.append(character) }
            }
        }
        for (entity, character) in [
            ("&copy;", "©"), ("&#169;", "©"), ("&nbsp;", " "), ("&lt;", "‹"), ("&gt;", "›"), ("&amp;", "&"),
        ] {
            text = text.replacing(entity, with: character)
        }
        let words = text.split {
            $0.isWhitespace || $0.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        return String(words.joined(separator: " ").prefix(Limit.text))
    }
}
