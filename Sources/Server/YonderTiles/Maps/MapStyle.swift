/// A MapLibre style of an operator's, and which other servers it needs.
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
