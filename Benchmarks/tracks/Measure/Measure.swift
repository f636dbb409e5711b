import Foundation
import YonderGeodesy
import YonderTracks

/// Measures how fast recorded logs and tracks are read, on one thread.
///
/// Its arguments are files: `.log` holds NMEA 0183, `.gpx` GPX; GeoJSON and CSV are made. Each round reads everything once each way, so that
/// whatever else the machine does meanwhile falls on all alike; the best round counts.
@main struct Measure {
    /// How many bytes a round reads each way: so few that some rounds run without interruption on a busy machine.
    private static let size = 1 << 22

    static func main() throws {
        let files = CommandLine.arguments.dropFirst()
        let logs = try files.filter { $0.hasSuffix(".log") }.map(bytes)
        let tracks = try files.filter { $0.hasSuffix(".gpx") }.map(bytes)
        let stream = repeated(logs.flatMap(\.self), atLeast: size)
        let positions = repeated(logs.flatMap(positionSentences), atLeast: size)
        let documents = Array(repeating: tracks, count: max(1, size / tracks.map(\.count).reduce(1, +)))
            .flatMap(\.self)
        let large = largeDocument(from: tracks)
        let places = Places(atLeast: size)
        var cases = [
            Case("NMEA, sum of bytes", [stream], sum),
            Case("NMEA, recorded logs", [stream], readNMEA),
            Case("NMEA, sum of bytes", [positions], sum),
            Case("NMEA, RMC, GGA, GLL, VTG and GSA alone", [positions], readNMEA),
            Case("GPX, sum of bytes", documents, sum),
            Case("GPX, recorded tracks", documents, readGPX),
            Case("GPX, sum of bytes", [large], sum),
            Case("GPX, one large track", [large], readGPX),
            Case("GeoJSON, sum of bytes", [places.geoJSON], sum),
            Case("GeoJSON, places", [places.geoJSON], readGeoJSON),
            Case("CSV, sum of bytes", [places.csv], sum),
            Case("CSV, the same places", [places.csv], readCSV),
            Case("CSV, sum of bytes", [Self.shortRows], sum),
            Case("CSV, rows of two bytes", [Self.shortRows], countRows),
        ]
        for _ in 0..<100 {
            for index in cases.indices { cases[index].run() }
        }
        for (yardstick, measured) in stride(from: 0, to: cases.count, by: 2).map({
            (cases[$0], cases[$0 + 1])
        }) {
            let ratio = yardstick.seconds / measured.seconds
            print(
                "\(measured.line), sum of bytes \(Int(yardstick.megabytesPerSecond)) MB/s, ratio",
                String(format: "%.3f", ratio)
            )
        }
    }

    /// Adds all bytes up: what touching each of them costs at least.
    private static func sum(_ bytes: [UInt8]) -> Int {
        var sum = UInt64(0)
        for byte in bytes { sum &+= UInt64(byte) }
        return Int(truncatingIfNeeded: sum)
    }

    /// Reads pieces of 4096 bytes, as they come from a device.
    private static func readNMEA(_ bytes: [UInt8]) -> Int {
        var reader = NMEAReader()
        var positions = 0
        let span = bytes.span
        for start in stride(from: 0, to: bytes.count, by: 4096) {
            reader.read(span.extracting(start..<min(bytes.count, start + 4096))) { epoch in
                if epoch.position != nil { positions += 1 }
            }
        }
        return positions
    }

    private static func readGPX(_ bytes: [UInt8]) -> Int {
        (try? GPXDocument(reading: bytes))?.tracks.map(\.points.count).reduce(0, +) ?? 0
    }

    /// Reads pieces of 64 KiB, as they come from a file or an upload.
    private static func readGeoJSON(_ bytes: [UInt8]) -> Int {
        var reader = GeoJSONReader()
        var places = 0
        let span = bytes.span
        for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
            reader.read(span.extracting(start..<min(bytes.count, start + 1 << 16))) { record in
                if case .success(let feature) = record.result, feature.geometry != nil { places += 1 }
            }
        }
        reader.finish { _ in places = 0 }
        return places
    }

    /// Reads pieces of 64 KiB, and the place in each row.
    private static func readCSV(_ bytes: [UInt8]) -> Int {
        var reader = CSVReader()
        var columns: CSVPlaceColumns?
        var places = 0
        let span = bytes.span
        for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
            reader.read(span.extracting(start..<min(bytes.count, start + 1 << 16))) { record in
                guard case .success(let row) = record.result, let columns else { return }
                if (try? columns.coordinate(in: row, at: record.offset)) != nil { places += 1 }
            }
            if columns == nil { columns = reader.columns.map(CSVPlaceColumns.init(guessing:)) }
        }
        reader.finish { _ in places = 0 }
        return places
    }

    /// A table of one column and of one digit a row.
    private static let shortRows = repeated(Array("1\n2\n3\n4\n".utf8), atLeast: size / 8)

    /// Reads pieces of 64 KiB, and the one value in each row.
    private static func countRows(_ bytes: [UInt8]) -> Int {
        var reader = CSVReader()
        var rows = 0
        let span = bytes.span
        for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
            reader.read(span.extracting(start..<min(bytes.count, start + 1 << 16))) { record in
                if case .success(let row) = record.result, row.count == 1 { rows += 1 }
            }
        }
        reader.finish { _ in rows = 0 }
        return rows
    }

    /// The tracks' points written again and again into one document, some 4 MB.
    private static func largeDocument(from tracks: [[UInt8]]) -> [UInt8] {
        var document = GPXDocument()
        let read = tracks.compactMap { try? GPXDocument(reading: $0) }.flatMap(\.tracks)
        let once = max(1, GPXDocument(tracks: read).bytes(creator: "bench").count)
        document.tracks = Array(repeating: read, count: max(1, size / once)).flatMap(\.self)
        return document.bytes(creator: "bench")
    }

    /// A log without the sentences of which little or nothing is read.
    private static func positionSentences(_ log: [UInt8]) -> [UInt8] {
        let kinds = ["RMC", "GGA", "GLL", "VTG", "GSA"].map { Array($0.utf8)[...] }
        let lines = log.split(separator: 0x0A).filter { kinds.contains($0.dropFirst(3).prefix(3)) }
        return Array(lines.joined(separator: [0x0A]))
    }

    private static func repeated(_ bytes: [UInt8], atLeast count: Int) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        return Array(repeating: bytes, count: count / bytes.count + 1).flatMap(\.self)
    }

    private static func bytes(of file: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(filePath: file)))
    }
}

/// Something done with bytes, and how long the best round took.
struct Case {
    let name: String
    private let inputs: [[UInt8]]
    private let body: ([UInt8]) -> Int
    private var best = Duration.seconds(1_000_000)
    private var result = 0

    init(_ name: String, _ inputs: [[UInt8]], _ body: @escaping ([UInt8]) -> Int) {
        (self.name, self.inputs, self.body) = (name, inputs, body)
    }

    mutating func run() {
        result = 0
        let elapsed = ContinuousClock().measure {
            for input in inputs { result &+= body(input) }
        }
        best = min(best, elapsed)
    }

    var seconds: Double { best / .seconds(1) }

    var megabytesPerSecond: Double {
        Double(inputs.map(\.count).reduce(0, +)) / 1e6 / seconds
    }

    var line: String {
        "\(name): \(Int(megabytesPerSecond)) MB/s, \(result) positions"
    }
}
