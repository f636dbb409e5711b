import Foundation
import YonderGeodesy

// The peers' files: little-endian numbers, and comma-separated values under a heading.

extension Workload {
    /// Reads the first so many points of a folder, and what is asked of them.
    init(points count: Int, folder: URL) throws {
        points = try Data(contentsOf: folder.appending(path: "points.bin"), options: .alwaysMapped)
            .prefix(count * 16).withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count, by: 16).map { .read(bytes, $0) }
            }
        moves = try Data(contentsOf: folder.appending(path: "q3_moves.bin"), options: .alwaysMapped)
            .withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count, by: 24).map { offset in
                    let id = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    return Move(id: UInt32(id), coordinate: .read(bytes, offset + 8))
                }
            }
        boxes = try Self.rows("q1_boxes.csv", in: folder).map { row in
            let numbers = row.compactMap(Double.init)
            guard
                let region = Region(west: numbers[3], south: numbers[2], east: numbers[5], north: numbers[4])
            else { throw FileError.invalidRow("q1_boxes.csv") }
            let width = numbers[5] - numbers[3]
            return Box(region: region, width: width < 0 ? width + 360 : width)
        }
        nears = try Self.rows("q2_knn.csv", in: folder).map { row in
            let numbers = row.compactMap(Double.init)
            guard let center = Coordinate(latitude: numbers[2], longitude: numbers[3]) else {
                throw FileError.invalidRow("q2_knn.csv")
            }
            return Near(center: center, reach: .meters(numbers[4]))
        }
    }

    /// Writes points, boxes and nears as the peers' files, for who asks over the wire.
    func write(to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var bytes = Data(capacity: points.count * 16)
        for point in points.map(Coordinate.init) {
            for degrees in [point.latitude, point.longitude] {
                withUnsafeBytes(of: degrees) { bytes.append(contentsOf: $0) }
            }
        }
        try bytes.write(to: folder.appending(path: "points.bin"))
        let boxes = boxes.enumerated().map { number, box in
            let region = box.region
            return "\(number),box,\(region.south),\(region.west),\(region.north),\(region.east)\n"
        }
        try Data(("id,kind,south,west,north,east\n" + boxes.joined()).utf8)
            .write(to: folder.appending(path: "q1_boxes.csv"))
        let nears = nears.enumerated().map { number, near in
            "\(number),near,\(near.center.latitude),\(near.center.longitude),\(near.reach.meters)\n"
        }
        try Data(("id,kind,latitude,longitude,meters\n" + nears.joined()).utf8)
            .write(to: folder.appending(path: "q2_knn.csv"))
    }

    /// The exact answers to the boxes, of a file such as `expect_q1_1M.csv`, if there is one.
    static func boxAnswers(_ name: String, in folder: URL) -> [BoxAnswer] {
        let rows = (try? rows(name, in: folder)) ?? []
        return rows.map { BoxAnswer(total: Int($0[1]) ?? -1, checksum: UInt64($0[2], radix: 16)) }
    }

    /// The exact distances of the nearest, of a file such as `expect_q2_1M_k10.csv`, if there is one.
    static func nearAnswers(_ name: String, in folder: URL) -> [[Double]] {
        let rows = (try? rows(name, in: folder)) ?? []
        return rows.map { $0.count < 4 ? [] : $0[3].split(separator: " ").compactMap { Double($0) } }
    }

    private static func rows(_ name: String, in folder: URL) throws -> [[String]] {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        return text.split(separator: "\n").dropFirst().map { $0.split(separator: ",").map(String.init) }
    }
}

enum FileError: Error {
    case invalidRow(String)
}

extension Coordinate.Rounded {
    fileprivate static func read(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Self {
        let latitude = bytes.loadUnaligned(fromByteOffset: offset, as: Double.self)
        let longitude = bytes.loadUnaligned(fromByteOffset: offset + 8, as: Double.self)
        return Coordinate(latitude: latitude, longitude: longitude)?.rounded
            ?? Region.everywhere.center.rounded
    }
}
