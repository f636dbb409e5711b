import CYonderWeb

// The archives that `Scripts/embed-web` and the build put into the program: `TileSource` opens them at the start. `nil`
// where the program was built without one; an archive that can't be read is a fault of the build, and ends the start
// (`WorldMapTests`). The zooms are known to `Web/map/style.js`.

extension PMTilesArchive {
    /// Opens the map of the world that is compiled into the program, zoom 0 to 6.
    ///
    /// - Returns: `nil` if the program was compiled without one.
    package static func world() throws(PMTilesError) -> PMTilesArchive? {
        try embedded("world")
    }

    /// Opens the streets of the demo's region that are compiled into the program, zoom 0 to 14.
    ///
    /// - Returns: `nil` if the program was compiled without them.
    package static func region() throws(PMTilesError) -> PMTilesArchive? {
        try embedded("liechtenstein")
    }

    private static func embedded(_ name: String) throws(PMTilesError) -> PMTilesArchive? {
        for index in 0..<yonder_data_file_count() {
            guard let file = yonder_data_file_at(index)?.pointee else { continue }
            guard String(cString: file.path) == "basemap/\(name).pmtiles" else { continue }
            return try PMTilesArchive(immortal: UnsafeRawBufferPointer(start: file.bytes, count: file.length))
        }
        return nil
    }
}
