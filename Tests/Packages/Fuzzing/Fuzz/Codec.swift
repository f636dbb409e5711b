import YonderBus
import YonderGeodesy
import YonderModel
import YonderNATS
import YonderRules
import YonderTracks
import YonderWire

/// Something that reads a peer's bytes, and what must hold for all that it accepts.
struct Codec: Sendable {
    /// Reads bytes; traps where a promise is broken.
    let read: @Sendable ([UInt8]) -> Void

    /// Every codec.
    ///
    /// The order is that of the corpus: add at the end.
    static var all: [Codec] {
        [
            messageData, clientFrame, serverFrame, worldPosition, polyline, enginePayload(.four),
            enginePayload(.three), socketPacket, gpx, nmea, geoJSON, csv, nats, bus,
        ]
    }

    /// A message's data is kept byte for byte.
    private static let messageData = Codec { bytes in
        guard let data = try? MessageData(bytes) else { return }
        precondition(data.bytes == bytes)
        precondition(bytes.contains(UInt8(ascii: "{")))
    }

    /// What a client says, written again, says the same.
    private static let clientFrame = Codec { bytes in
        let frame = try? bytes.withUnsafeBytes { try ClientFrame.parse($0) }
        guard let frame else { return }
        let again = try? frame.encoded().withUnsafeBytes { try ClientFrame.parse($0) }
        precondition(again == frame)
    }

    /// What a server says, written again, says the same.
    private static let serverFrame = Codec { bytes in
        let read = try? bytes.withUnsafeBytes { try ServerFrame.parse($0) }
        guard let frame = read ?? nil else { return }
        let again = try? frame.encoded().withUnsafeBytes { try ServerFrame.parse($0) }
        precondition(again == frame)
    }

    /// A pin's position lies on the Earth and is kept as written.
    private static let worldPosition = Codec { bytes in
        guard let position = WorldPosition(bytes) else { return }
        precondition(position.bytes == bytes)
        precondition((-90...90).contains(position.latitude) && (-180...180).contains(position.longitude))
    }

    /// A decoded line, encoded again, is the same line but for the rounding where a longitude was folded.
    private static let polyline = Codec { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        guard let line = try? EncodedPolyline(text: text).coordinates() else { return }
        let again = try? EncodedPolyline(line).coordinates()
        precondition(again?.count == line.count)
        for (one, other) in zip(line, again ?? []) {
            precondition(abs(one.latitude - other.latitude) < 1e-9)
            precondition(abs((one.longitude - other.longitude).remainder(dividingBy: 360)) < 1e-9)
        }
    }

    /// Packets that a body held, put into a body again, are the same packets.
    private static func enginePayload(_ version: EngineVersion) -> Codec {
        Codec { bytes in
            guard let packets = try? EnginePayload.packets(in: bytes, version: version) else { return }
            let body = EnginePayload.body(of: packets, version: version, allowsBinary: true).bytes
            precondition((try? EnginePayload.packets(in: body, version: version)) == packets)
        }
    }

    /// A packet without attachments, written again, says the same; its event is cut out or refused.
    private static let socketPacket = Codec { bytes in
        guard String(validating: bytes, as: UTF8.self) != nil, let head = try? SocketPacket.read(bytes) else {
            return
        }
        _ = try? head.packet.event()
        guard head.attachmentCount == 0, !head.packet.kind.hasAttachments, head.packet.query == nil else {
            return
        }
        precondition((try? SocketPacket.read(head.packet.text))?.packet == head.packet)
    }

    /// A document that was read can be written and read.
    private static let gpx = Codec { bytes in
        guard let document = try? GPXDocument(reading: bytes) else { return }
        let again = try? GPXDocument(reading: document.bytes(creator: "fuzz"))
        precondition(again?.tracks.count == document.tracks.count)
        precondition(again?.waypoints.count == document.waypoints.count)
    }

    /// What a receiver says, with checksums and without, is the same however it is cut.
    private static let nmea = Codec { bytes in
        // The first byte, which says nothing else, says how long the pieces are.
        let size = Int(bytes.first ?? 0) % 97 + 1
        checkNMEA(bytes, inPiecesOf: size)
        // Few changes leave a checksum right; without them the fields are read.
        checkNMEA(bytes.map { $0 == UInt8(ascii: "*") ? 0x0A : $0 }, inPiecesOf: size)
    }

    private static func checkNMEA(_ bytes: [UInt8], inPiecesOf size: Int) {
        var whole = NMEAReader()
        var epochs = whole.read(bytes)
        whole.finish { epochs.append($0) }
        var cut = NMEAReader()
        var count = 0
        let check = { (epoch: NMEAEpoch) in
            precondition(count < epochs.count && epochs[count] == epoch)
            precondition(epoch.coordinate == nil || epoch.quality != .noFix)
            precondition(epoch.coordinate.map { (-90...90).contains($0.latitude) } ?? true)
            count += 1
        }
        for start in stride(from: 0, to: bytes.count, by: size) {
            cut.read(bytes.span.extracting(start..<min(bytes.count, start + size)), check)
        }
        cut.finish(check)
        precondition(count == epochs.count && cut.counts == whole.counts)
    }

    /// Features are the same however a file is cut, and the same once written and read.
    private static let geoJSON = Codec { bytes in
        // The first byte, which says little else, says how long the pieces are, and a feature.
        let size = Int(bytes.first ?? 0) % 97 + 1
        let (length, rest) = (size % 2 == 0 ? 4096 : size * 4, bytes.dropFirst())
        var whole = GeoJSONReader(featureLength: length)
        let records = whole.read(Array(rest)) + whole.finish()
        var cut = GeoJSONReader(featureLength: length)
        var again: [GeoJSONReader.Record] = []
        for start in stride(from: 1, to: bytes.count, by: size) {
            again += cut.read(Array(bytes[start..<min(bytes.count, start + size)]))
        }
        precondition(again + cut.finish() == records)
        var writer = GeoJSONWriter(size % 3 == 0 ? .collection : .lines)
        let features = records.compactMap(\.value)
        for feature in features { writer.write(feature) }
        writer.finish()
        var reader = GeoJSONReader()
        let read = (reader.read(writer.takeBytes()) + reader.finish()).compactMap(\.value)
        precondition(read.map(\.geometry) == features.map(\.geometry))
        precondition(read.map(\.id) == features.map(\.id))
        precondition(read.map(\.properties.members.count) == features.map(\.properties.members.count))
    }

    /// Rows are the same however a file is cut, and the same once written and read.
    private static let csv = Codec { bytes in
        // The first byte, which says little else, says how long the pieces are, and a row.
        let size = Int(bytes.first ?? 0) % 97 + 1
        let limits = CSVReader.Limits(rowLength: size % 2 == 0 ? 4096 : size * 2, columns: 20)
        var whole = CSVReader(limits: limits)
        let records = whole.read(Array(bytes.dropFirst())) + whole.finish()
        var cut = CSVReader(limits: limits)
        var again: [CSVReader.Record] = []
        for start in stride(from: 1, to: bytes.count, by: size) {
            again += cut.read(Array(bytes[start..<min(bytes.count, start + size)]))
        }
        precondition(again + cut.finish() == records)
        guard let columns = whole.columns else { return }
        _ = CSVPlaceColumns(guessing: columns)
        var writer = CSVWriter(columns: columns, separator: whole.separator ?? .comma)
        let rows = records.compactMap { $0.value?.values }
        for row in rows { writer.write(row) }
        var reader = CSVReader()
        let read = reader.read(writer.takeBytes()) + reader.finish()
        precondition(reader.columns == columns && read.map { $0.value?.values } == rows)
    }

    /// A server's operations are the same however they are cut, up to the same fault.
    private static let nats = Codec { bytes in
        // The first byte, which says nothing else, says how long the pieces are.
        let size = Int(bytes.first ?? 0) % 97 + 1
        let rest = Array(bytes.dropFirst())
        let whole = operations(rest, inPiecesOf: max(1, rest.count))
        precondition(operations(rest, inPiecesOf: size) == whole)
    }

    private static func operations(_ bytes: [UInt8], inPiecesOf size: Int) -> Operations {
        var limits = NATSParser.Limits()
        (limits.line, limits.info, limits.payload) = (64, 256, 100)
        var parser = NATSParser(limits: limits)
        var unread: [UInt8] = []
        var found = Operations()
        for start in stride(from: 0, to: bytes.count, by: size) {
            unread += bytes[start..<min(bytes.count, start + size)]
            do throws(NATSFault) {
                while let item = try parser.next(unread.span) {
                    precondition(item.used > 0 && item.payload?.count ?? 0 <= limits.payload)
                    found.all.append(item.operation)
                    found.payloads += item.payload.map { unread[$0] } ?? []
                    unread.removeFirst(item.used)
                }
            } catch {
                found.fault = error
                return found
            }
        }
        precondition(unread.count < limits.info + limits.payload)
        return found
    }

    /// The operations of an input, and the fault that ended them.
    private struct Operations: Equatable {
        var all: [NATSOperation] = []
        var payloads: [UInt8] = []
        var fault: NATSFault?
    }
}
