package import Logging
package import YonderModel

/// Finds out what the operator's maps are, once, when the server starts.
///
/// `ServerProcess` calls `load` before it listens, `yonder map check` asks for a report. A file that can't be used keeps the
/// server from starting; another server's map that can't be read is left out and logged. What a map holds is found out by
/// `TileSource` and `MapWeb`; which layers make a schema is in `MapSource` (decision 17, `MapLoaderTests`).
///
/// Names in addresses (`world`, `towns`, and those of files) must stay, since pages keep tiles by them; the demo's map
/// may be changed.
package struct MapLoader: Sendable {
    /// The archives to serve, by name, and the maps that are offered to the page.
    package struct Maps: Sendable {
        package var tiles: [String: TileSource] = [:]
        package var offer = MapOffer()
    }

    private let web: MapWeb?
    private let logger: Logger

    /// Asks other servers through `web`; without it their maps are left out.
    package init(web: MapWeb?, logger: Logger) {
        self.web = web
        self.logger = logger
    }

    /// Opens every map, the built-in world below them.
    ///
    /// A map of another server that can't be read now is left out, and the log says so. With `isDemo` and without a map
    /// the streets of the demo's region are shown.
    ///
    /// - Throws: `invalidField` if a file can't be used.
    package func load(_ settings: [MapSetting], style: String? = nil, isDemo: Bool = false)
        async throws(SharingError) -> Maps
    {
        var maps = Maps()
        try add(try? TileSource.world(), as: "world", to: &maps)
        for setting in settings {
            switch setting.location {
            case .file(let path): try addFile(path, setting, to: &maps)
            case .document, .template: await addForeign(setting, to: &maps)
            }
        }
        if isDemo, maps.offer.sources.isEmpty {
            try add(try? TileSource.region(), as: "liechtenstein", to: &maps)
        }
        if let style { maps.offer.style = await self.style(style) }
        return maps
    }

    /// Describes a map, for `yonder map check`.
    ///
    /// - Throws: `invalidField` if it can't be read.
    package func describe(_ setting: MapSetting) async throws(SharingError) -> MapSource {
        switch setting.location {
        case .file(let path): return try described(try open(path), setting)
        case .document, .template:
            guard let web else {
                throw SharingError(
                    .invalidField,
                    "map must be a file; this program asks no other servers for maps."
                )
            }
            return try await web.describe(setting)
        }
    }

    /// A tile of a map, or `nil` if there is none.
    func tile(
        _ coordinate: TileCoordinate,
        _ setting: MapSetting,
        _ source: MapSource
    ) async throws(SharingError) -> Tile? {
        guard case .file(let path) = setting.location else {
            let address = MapWeb.address(source.template, coordinate)
            guard let web else { return nil }
            return Tile(bytes: try await web.get(address).bytes, isGzipped: false)
        }
        let archive = try open(path)
        do throws(PMTilesError) {
            return try await archive.tile(coordinate)
        } catch {
            throw SharingError(.invalidField, "\(path) must be a PMTiles file; it can't be read: \(error).")
        }
    }

    private func addFile(_ path: String, _ setting: MapSetting, to maps: inout Maps) throws(SharingError) {
        let archive = try open(path)
        let source = try described(archive, setting)
        maps.tiles[source.id] = archive
        report(source, from: path)
        if source.id == "world" { maps.offer.world = source } else { append(source, to: &maps) }
    }

    private func addForeign(_ setting: MapSetting, to maps: inout Maps) async {
        do throws(SharingError) {
            let source = try await describe(setting)
            report(source, from: setting.origin ?? "")
            append(source, to: &maps)
        } catch {
            logger.error("A map can't be used, and is left out", metadata: ["error": "\(error.message)"])
        }
    }

    private func style(_ location: String) async -> MapStyle? {
        do throws(SharingError) {
            let style = try await MapStyleReader(web: web).read(location)
            logger.info(
                "The map has a style of its own",
                metadata: ["style": "\(location)", "hosts": "\(style.origins)"]
            )
            return style
        } catch {
            logger.error(
                "The map's style can't be used; the built-in one is",
                metadata: ["error": "\(error.message)"]
            )
            return nil
        }
    }

    /// Adds what is in the program.
    private func add(_ archive: TileSource??, as id: String, to maps: inout Maps) throws(SharingError) {
        guard let archive = archive ?? nil else { return }
        let source = try described(archive, id)
        maps.tiles[id] = archive
        if id == "world" { maps.offer.world = source } else { append(source, to: &maps) }
    }

    private func append(_ source: MapSource, to maps: inout Maps) {
        maps.offer.sources.removeAll { $0.id == source.id }
        maps.offer.sources.append(source)
    }

    private func open(_ path: String) throws(SharingError) -> TileSource {
        do throws(PMTilesError) {
            return try TileSource(path: path)
        } catch {
            throw SharingError(.invalidField, "\(path) must be a PMTiles file; it can't be used: \(error).")
        }
    }

    private func described(_ archive: TileSource, _ id: String) throws(SharingError) -> MapSource {
        do throws(PMTilesError) {
            return try archive.described(as: id)
        } catch {
            throw SharingError(.invalidField, "\(id) must be a PMTiles file; it can't be used: \(error).")
        }
    }

    /// The archive's description of itself, overridden by the operator's settings.
    private func described(_ archive: TileSource, _ setting: MapSetting) throws(SharingError) -> MapSource {
        var source = try described(archive, setting.identifier)
        if let schema = setting.schema { source.schema = schema }
        if let attribution = setting.attribution { source.attribution = attribution }
        if let zooms = setting.zooms { source.zooms = zooms }
        return source
    }

    private func report(_ source: MapSource, from location: String) {
        logger.info(
            "A map is served",
            metadata: [
                "map": "\(source.id)", "from": "\(location)", "kind": "\(source.kind.rawValue)",
                "schema": "\(source.schema?.rawValue ?? "unknown")",
                "zooms": "\(source.zooms.lowerBound)-\(source.zooms.upperBound)",
                "attribution": "\(source.attribution)",
            ]
        )
        if source.kind == .vector, source.schema == nil {
            logger.warning(
                "The page draws none of this map's layers",
                metadata: ["layers": "\(source.layers)"]
            )
        }
    }
}
