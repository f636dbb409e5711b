import NIOCore
import TestSupport
import Testing

@testable import YonderTiles

/// A small archive, built by hand: `tiles` in one leaf, or in the root.
private struct Sample {
    var version: UInt8 = 3
    var tileCompression: UInt8 = 1
    var directory: [UInt8]
    var leaves: [UInt8] = []
    var tiles: [UInt8] = Array("onetwothree".utf8)
    var claimedTiles: UInt64?

    var bytes: [UInt8] {
        var sections = [(127, UInt64(directory.count))]
        let metadata = Array(#"{"name":"sample"}"#.utf8)
        for count in [metadata.count, leaves.count, tiles.count] {
            let (offset, length) = sections[sections.count - 1]
            sections.append((offset + Int(length), UInt64(count)))
        }
        sections[3].1 = claimedTiles ?? sections[3].1
        var bytes = Array("PMTiles".utf8) + [version]
        for (offset, length) in sections { bytes += littleEndian(UInt64(offset)) + littleEndian(length) }
        bytes += [UInt8](repeating: 0, count: 24) + [1, 1, tileCompression, 1, 0, 3]
        bytes += [UInt8](repeating: 0, count: 127 - bytes.count)
        return bytes + directory + metadata + leaves + tiles
    }

    private func littleEndian(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}

/// Opens bytes as an archive; they live on, as the archive asks.
private func open(_ bytes: [UInt8]) throws -> PMTilesArchive {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    memory.copyBytes(from: bytes)
    return try PMTilesArchive(immortal: UnsafeRawBufferPointer(memory))
}

private func tile(_ archive: PMTilesArchive, _ zoom: Int, _ x: Int, _ y: Int) throws -> String? {
    let coordinate = try #require(TileCoordinate(zoom: zoom, x: x, y: y))
    return try archive.tile(coordinate).map { String(buffer: $0.bytes) }
}

/// Every tile of the first two zooms, to see that reading them never traps.
private func readAll(_ archive: PMTilesArchive) throws {
    for (zoom, x, y) in [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1), (2, 3, 1), (3, 7, 7)] {
        if let coordinate = TileCoordinate(zoom: zoom, x: x, y: y) { _ = try archive.tile(coordinate) }
    }
    _ = try archive.metadata()
}

@Suite struct PMTilesArchiveTests {
    /// Tile 0, tiles 1 and 2 alike, and tile 4.
    private let inRoot = Sample(directory: [3, 0, 1, 3, 1, 2, 1, 3, 3, 5, 1, 0, 0])

    @Test func `tiles are numbered as in the specification's own implementation`() {
        let numbers: [(Int, Int, Int, UInt64)] = [
            (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5),
            (6, 33, 21, 4845),
            (12, 2148, 1450, 19_844_657), (20, 550_000, 360_000, 1_300_681_030_229),
            (26, 67_108_863, 0, 6_004_799_503_160_660), (26, 12_345_678, 43_210_987, 2_781_441_802_412_552),
        ]
        for (zoom, x, y, number) in numbers {
            #expect(TileCoordinate(zoom: zoom, x: x, y: y)?.archiveNumber == number, "\(zoom)/\(x)/\(y)")
        }
    }

    @Test func `a tile outside the world has no coordinate`() {
        for (zoom, x, y) in [
            (-1, 0, 0), (0, 1, 0), (3, 8, 0), (3, 0, -1), (27, 0, 0), (.max, 0, 0), (5, .max, .min),
        ] {
            #expect(TileCoordinate(zoom: zoom, x: x, y: y) == nil)
        }
    }

    @Test func `a tile is found by its run, and a gap has none`() throws {
        let archive = try open(inRoot.bytes)

        #expect(try tile(archive, 0, 0, 0) == "one")
        #expect(try tile(archive, 1, 0, 0) == "two")
        #expect(try tile(archive, 1, 0, 1) == "two")
        #expect(try tile(archive, 1, 1, 1) == nil)
        #expect(try tile(archive, 1, 1, 0) == "three")
        #expect(try tile(archive, 4, 0, 0) == nil)
        #expect(try String(buffer: archive.metadata()) == #"{"name":"sample"}"#)
    }

    @Test func `a tile is found through a leaf directory`() throws {
        let leaf: [UInt8] = [1, 1, 4, 3, 4]
        let archive = try open(Sample(directory: [1, 0, 0, UInt8(leaf.count), 1], leaves: leaf).bytes)

        #expect(try tile(archive, 1, 1, 1) == "two")
        #expect(try tile(archive, 1, 1, 1) == "two")
        #expect(try tile(archive, 2, 0, 0) == nil)
    }

    @Test func `directories that lead to themselves end`() throws {
        let leaf: [UInt8] = [1, 0, 0, 5, 1]
        let archive = try open(Sample(directory: leaf, leaves: leaf).bytes)

        #expect(throws: PMTilesError.tooDeep) { try tile(archive, 0, 0, 0) }
    }

    @Test func `a file other than an archive of version 3 is refused`() {
        #expect(throws: PMTilesError.notAnArchive) { try open(Array("PMTiles".utf8)) }
        #expect(throws: PMTilesError.notAnArchive) { try open([UInt8](repeating: 7, count: 400)) }
        #expect(throws: PMTilesError.unsupportedVersion(2)) {
            try open(Sample(version: 2, directory: [0]).bytes)
        }
        #expect(throws: PMTilesError.unsupportedCompression(3)) {
            try open(Sample(tileCompression: 3, directory: [0]).bytes)
        }
    }

    @Test func `parts outside the archive are refused`() throws {
        var sample = inRoot
        sample.claimedTiles = .max
        #expect(throws: PMTilesError.self) { try open(sample.bytes) }

        let beyond = try open(Sample(directory: [1, 0, 1, 100, 1]).bytes)
        #expect(throws: PMTilesError.outOfBounds(offset: 0, length: 100)) { try tile(beyond, 0, 0, 0) }
    }

    @Test(
        arguments: [
            [0], [1], [1, 0], [9, 0, 1, 2, 3, 4], [1, 0, 1, 0, 1], [1, 0, 1, 3, 0],
            [2, 0, 0, 1, 1, 3, 3, 1, 0],
            [255, 255, 255, 255, 255, 255, 255, 255, 255, 1],
            [255, 255, 255, 255, 255, 255, 255, 255, 255, 2],
            [1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 1, 1, 1],
        ] as [[UInt8]]
    )
    func `a broken directory is refused`(_ directory: [UInt8]) {
        #expect(throws: PMTilesError.self) { try PMTilesDirectory(directory) }
    }

    @Test func `changed and cut archives never trap`() throws {
        let world = try #require(try PMTilesArchive.world())
        #expect(world.header.zooms == 0...6)
        for seed in UInt64(0)..<2_000 {
            var random = SeededGenerator(seed: seed)
            var bytes = inRoot.bytes
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
                    in: 0...255,
                    using: &random
                )
            }
            if seed % 3 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            do { try readAll(open(bytes)) } catch is PMTilesError {}
        }
    }
}
