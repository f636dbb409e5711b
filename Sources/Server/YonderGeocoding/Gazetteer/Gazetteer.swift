package import YonderModel
import YonderRules
package import YonderSQLite

/// The towns of the world by name and by position, from a SQLite file that Scripts/build-gazetteer makes.
///
/// It is read-only, and reads on several connections with threads of their own, never on an event loop. Names
/// are those of the source, in one language; alternate names are found, but not returned.
///
/// `ServerProcess` opens one at the start, of `--gazetteer` or of the bytes in the program; an error ends the start.
/// `GeocodingEndpoints`, `PlaceNaming` and `TownTiles` ask it, on any thread. Errors are `tooManyRequests` and
/// `geocoderUnavailable`. The file's format is the script's; another version needs both (decision 8,
/// `GazetteerSearchTests`, `test_gazetteer.py`).
package struct Gazetteer: Geocoder {
    /// The source of its answers.
    package let source: GeocodingSource

    private let readers: GazetteerReaders

    /// Opens a file.
    ///
    /// - Throws: `inaccessible`, `corrupt` if the file isn't a gazetteer, `newerVersion` if it is of another
    ///   version.
    package static func open(path: String, readers: Int = 2) throws(StorageError) -> Gazetteer {
        try Gazetteer(.file(path), readers: readers)
    }

    /// Opens the bytes of such a file in memory.
    ///
    /// They must stay in place, unchanged, as long as the program runs.
    ///
    /// - Throws: `corrupt` if the bytes aren't a gazetteer, `newerVersion` if they are of another version.
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

    /// Returns places whose name is the text, then those whose name begins with it, then those that contain
    /// its words in name, division and country.
    ///
    /// Each group is sorted by population, or with a bias by population and distance.
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
