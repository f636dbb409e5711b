/// The maps that this server offers to the page.
///
/// `MapLoader` makes it at the start; `MapEndpoints` writes it for the page, `TileEndpoints` knows the name of the
/// towns' tiles by it. It is a plain value. The names `world` and `towns` are in addresses that pages keep, and must stay
/// (`MapEndpointTests`).
package struct MapOffer: Sendable {
    /// The name that the gazetteer's towns have in addresses.
    package static let towns = "towns"

    /// The built-in world, or an operator's file of that name; `nil` if there is none.
    package var world: MapSource?

    /// The maps over it, the first lowest.
    package var sources: [MapSource] = []

    /// Whether the towns of the gazetteer are served as tiles.
    package var hasTowns = false

    /// An operator's whole style, or `nil` for the page's own.
    package var style: MapStyle?

    /// Offers these.
    package init(world: MapSource? = nil, sources: [MapSource] = []) {
        self.world = world
        self.sources = sources
    }

    /// The other servers that a page showing this map asks, as origins, in order.
    package var origins: [String] {
        let all = Set(sources.compactMap(\.origin)).union(style?.origins ?? [])
        return all.sorted()
    }
}
