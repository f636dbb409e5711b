package import YonderModel

/// The towns of the world by name and by place, out of one SQLite file that Scripts/build-gazetteer makes.
///
/// It only reads, from several connections at once and on threads of its own, never on an event loop. Names are those
/// of its source, in one language; alternate names are found, but not shown.
package struct Gazetteer: Geocoder {
    /// Where its answers come from.
    package let source: GeocodingSource

    private let readers: GazetteerReaders

    /// Opens a file.
    ///
    /// - Throws: `inaccessible`, `corrupt` if it is no gazetteer, `newerVersion` if it is of another version.
    package static func open(path: String, readers: Int = 2) throws(StorageError) -> Gazetteer {
        try Gazetteer(.file(path), readers: readers)
    }

    /// Opens the bytes of such a file where they are.
    ///
    /// They must stay there, unchanged, as long as the program runs.
    ///
    /// - Throws: `corrupt` if they are no gazetteer, `newerVersion` if they are of another version.
    package static func open(
        immortal bytes: UnsafeRawBufferPointer,
        readers: Int = 2
    ) throws(StorageError) -> Gazetteer {
        try Gazetteer(.memory(ImmortalBytes(bytes)), readers: readers)
    }

    private init(_ contents: GazetteerContents, readers count: Int) throws(StorageError) {
        readers = try GazetteerReaders(contents, count: max(1, count))
        source = GeocodingSource(name: "gazetteer", attribution: try contents.attribution())
    }

    /// The places whose name is the text, then those whose name begins with it, then those that have its words, in
    /// name, division and country.
    ///
    /// Each kind is in the order of population, or with a bias of population and distance.
    package func search(_ query: GeocodingQuery) async throws(SharingError) -> [GeocodingCandidate] {
        let search = GazetteerSearch(query: query)
        return try await readers.read { try search.run($0) }.map { $0.candidate(source) }
    }

    /// The places within edges in degrees, most people first, at most `limit`.
    ///
    /// The south and west edges belong to it; it doesn't go on past ±180.
    ///
    /// - Throws: `geocoderUnavailable` if the file can't be read now.
    package func places(
        west: Double,
        south: Double,
        east: Double,
        north: Double,
        limit: Int
    ) async throws(SharingError) -> [GeocodingCandidate] {
        let tile = GazetteerTile(west: west, south: south, east: east, north: north, limit: limit)
        return try await readers.read { try tile.run($0) }.map { $0.candidate(source) }
    }

    /// The nearest places by great-circle distance, however far.
    package func reverse(_ query: ReverseGeocodingQuery) async throws(SharingError) -> [NearbyCandidate] {
        let search = GazetteerReverse(query: query)
        return try await readers.read { try search.run($0) }
            .map { NearbyCandidate($0.place.candidate(source), distance: $0.distance) }
    }
}
