/// A map that the page draws: tiles of this server or of another, and what is known of them.
///
/// `MapWeb` makes one for a map of another server, `TileSource` one for an archive of tiles; `MapEndpoints` writes them
/// into `/tiles/map.json`, which `Web/app/map/base-map.js` reads: the members there must stay. A further schema is a
/// case here and in `Web/map/schemas.js`. Nothing fails: tiles of unknown layers have no schema, and the page shows them
/// not at all (`MapEndpointTests`, `MapLoaderTests`).
package struct MapSource: Hashable, Sendable {
    /// The kind of a source's tiles.
    package enum Kind: String, Sendable, CaseIterable {
        /// Mapbox vector tiles, drawn by the page's style.
        case vector

        /// Images, drawn as they are.
        case raster
    }

    /// The schema of vector tiles: their layers and fields.
    package enum Schema: String, Sendable, CaseIterable {
        /// OpenMapTiles, version 3.
        case openmaptiles

        /// Protomaps, version 4.
        case protomaps

        /// Shortbread, version 1.
        case shortbread

        /// Decides by the names of layers.
        ///
        /// - Returns: `nil` if they are those of none.
        package init?(layers: some Sequence<String>) {
            let layers = Set(layers)
            if layers.contains("transportation") || layers.isSuperset(of: ["place", "water_name"]) {
                self = .openmaptiles
            } else if layers.contains("streets") || layers.contains("street_labels") {
                self = .shortbread
            } else if layers.contains("roads"), layers.contains("earth") || layers.contains("places") {
                self = .protomaps
            } else {
                return nil
            }
        }
    }

    /// The source's name in addresses: letters, digits, hyphens and underscores.
    package var id: String

    /// The kind of a source's tiles.
    package var kind: Kind

    /// The layers of vector tiles; `nil` for images, and for layers that the page's style doesn't know.
    package var schema: Schema?

    /// The address of a tile, with `{z}`, `{x}` and `{y}`: a path of this server's, or a whole address.
    package var template: String

    /// The zooms that there are tiles for.
    package var zooms: ClosedRange<Int>

    /// The area that has tiles, or `nil` for the whole world.
    package var bounds: MapBounds?

    /// The attribution to show, as plain text; may be empty.
    package var attribution: String

    /// The side of an image in CSS pixels; 512 for vector tiles.
    package var tileSize: Int

    /// Whether the tiles have the sea, so that the coarser one of the built-in world is to be hidden under them.
    package var hasSea: Bool

    /// The names of a vector tile's layers, as far as they are known.
    package var layers: [String]

    /// The origin of another server's tiles, as `https://tiles.example.org`; `nil` for tiles of this server.
    package var origin: String?

    /// Names it all.
    package init(
        id: String,
        kind: Kind,
        schema: Schema? = nil,
        template: String,
        zooms: ClosedRange<Int>,
        bounds: MapBounds? = nil,
        attribution: String = "",
        tileSize: Int = 512,
        hasSea: Bool = false,
        layers: [String] = [],
        origin: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.schema = schema
        self.template = template
        self.zooms = zooms
        self.bounds = bounds
        self.attribution = attribution
        self.tileSize = tileSize
        self.hasSea = hasSea
        self.layers = layers
        self.origin = origin
    }
}

/// The edges of a map, in degrees.
package struct MapBounds: Hashable, Sendable {
    package let west: Double
    package let south: Double
    package let east: Double
    package let north: Double

    /// Creates bounds from their edges, cut to the Mercator world.
    ///
    /// - Returns: `nil` if the bounds are empty, or an edge isn't finite.
    package init?(west: Double, south: Double, east: Double, north: Double) {
        guard [west, south, east, north].allSatisfy(\.isFinite) else { return nil }
        self.west = max(-180, west)
        self.south = max(-85.0512, south)
        self.east = min(180, east)
        self.north = min(85.0512, north)
        guard self.west < self.east, self.south < self.north else { return nil }
    }

    /// Whether they are the whole world but for some degrees.
    package var isWorld: Bool { east - west > 350 && north - south > 150 }

    /// The tile that a point lies in: the middle, or a corner a tenth of the way in.
    func tile(zoom: Int, east part: Double = 0.5, south: Double = 0.5) -> TileCoordinate? {
        TileCoordinate(
            zoom: zoom,
            longitude: west + (east - west) * part,
            latitude: north - (north - self.south) * south
        )
    }
}
