import Foundation
import NIOCore
import TestSupport
import Testing

@testable import YonderTiles

@Suite struct WorldMapTests {
    @Test func `the world's tiles inflate, from zoom 0 to 6`() throws {
        let world = try #require(try PMTilesArchive.world())

        for (zoom, x, y) in [(0, 0, 0), (3, 4, 2), (6, 33, 22), (6, 0, 0), (6, 63, 63)] {
            let coordinate = try #require(TileCoordinate(zoom: zoom, x: x, y: y))
            let tile = try #require(try world.tile(coordinate))
            #expect(tile.isGzipped)
            #expect(try Gunzip.inflate(tile.bytes, limit: 1 << 20).readableBytes > 0)
        }
        #expect(world.header.tileKind.contentType == "application/vnd.mapbox-vector-tile")
    }

    @Test func `it credits its sources and names no machine`() throws {
        let world = try #require(try PMTilesArchive.world())

        let metadata = try String(buffer: world.metadata())

        #expect(metadata.contains("GeoNames"))
        #expect(!metadata.contains("tippecanoe_tippecanoe"))
    }

    @Test func `a file is read as memory is`() throws {
        let world = try #require(try PMTilesArchive.world())
        let coordinate = try #require(TileCoordinate(zoom: 4, x: 8, y: 5))
        let root = URL(filePath: #filePath).appending(path: "../../../../..").standardized

        let archive = try PMTilesArchive(path: root.appending(path: "Web/basemap/world.pmtiles").path)

        #expect(archive.header == world.header)
        #expect(try archive.tile(coordinate) == world.tile(coordinate))
        #expect(throws: PMTilesError.unreadable(ENOENT)) { try PMTilesArchive(path: "/nowhere.pmtiles") }
    }

    @Test func `gzip that is cut, false or holds too much is refused`() throws {
        let world = try #require(try PMTilesArchive.world())
        let coordinate = try #require(TileCoordinate(zoom: 0, x: 0, y: 0))
        let whole = try #require(try world.tile(coordinate)).bytes

        #expect(throws: PMTilesError.self) { try Gunzip.inflate(whole, limit: 1_000) }
        #expect(throws: PMTilesError.badCompression) {
            try Gunzip.inflate(whole.getSlice(at: 0, length: 900) ?? ByteBuffer(), limit: 1 << 20)
        }
        #expect(throws: PMTilesError.badCompression) { try Gunzip.inflate(ByteBuffer(), limit: 1 << 20) }
        #expect(throws: PMTilesError.badCompression) {
            try Gunzip.inflate(ByteBuffer(string: "not gzip at all"), limit: 1 << 20)
        }
    }
}
