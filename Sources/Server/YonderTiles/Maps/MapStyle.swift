/// A MapLibre style of an operator's, and which other servers it needs.
///
/// `MapStyleReader` makes one at the start, `MapEndpoints` serves it, and the page's content policy admits the origins
/// (`MapEndpointTests`).
package struct MapStyle: Hashable, Sendable {
    /// The style as JSON.
    package var json: [UInt8]

    /// The origins of its tiles, images and letters.
    package var origins: [String]

    /// Joins them.
    package init(json: [UInt8], origins: [String]) {
        self.json = json
        self.origins = origins
    }
}
