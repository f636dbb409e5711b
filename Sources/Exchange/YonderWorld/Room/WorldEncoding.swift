import NIOCore
import YonderJSON
import YonderModel
import YonderTransport

/// The world's events as WebSocket text frames, in the stream's form and in Socket.IO's.
///
/// `WorldRoom` and `WorldBatch` call it once for an event, and share the bytes among all listeners, on the event loop.
/// Nothing fails: names and positions were checked before, and need no escapes. Both forms must stay, the stream's
/// (`Documentation/stream.md`) and that of old Socket.IO clients (`Documentation/socket-io.md`, `WorldRoomTests`). 60
/// 000 bytes a page may be changed.
enum WorldEncoding {
    /// Appends an event as a frame of the stream.
    static func writeStream(_ event: WorldEvent, topic: Int64, into buffer: inout ByteBuffer) {
        var json = JSONWriter(capacity: 96)
        switch event {
        case .joined(let id):
            json.raw("{\"type\":\"pin\",\"topic\":")
            json.integer(topic)
            json.raw(",\"pin\":\"")
            json.raw(id.description.utf8)
            json.raw("\"}")
        case .moved(let id, let position):
            json.raw("{\"type\":\"pin\",\"topic\":")
            json.integer(topic)
            json.raw(",\"pin\":\"")
            json.raw(id.description.utf8)
            json.raw("\",\"at\":\"")
            json.raw(position)
            json.raw("\"}")
        case .left(let id):
            json.raw("{\"type\":\"gone\",\"topic\":")
            json.integer(topic)
            json.raw(",\"pin\":\"")
            json.raw(id.description.utf8)
            json.raw("\"}")
        }
        TextFrame.write(json.bytes, into: &buffer)
    }

    /// Appends an event as a Socket.IO packet in namespace `/`: `42["update","id:lat,lon"]`.
    static func writeSocketIO(_ event: WorldEvent, into buffer: inout ByteBuffer) {
        var packet: [UInt8] = []
        packet.reserveCapacity(64)
        packet.append(contentsOf: "42[\"".utf8)
        packet.append(contentsOf: name(of: event).utf8)
        packet.append(contentsOf: "\",\"".utf8)
        packet.append(contentsOf: event.member.description.utf8)
        if case .moved(_, let position) = event {
            packet.append(UInt8(ascii: ":"))
            packet.append(contentsOf: position)
        }
        packet.append(contentsOf: "\"]".utf8)
        TextFrame.write(packet, into: &buffer)
    }

    /// The frames that answer a new subscriber of the stream: every pin, at most 64 KiB a frame.
    static func streamSnapshot(
        id: Int64,
        topic: Int64,
        you: WorldID,
        of everyone: WorldPins
    ) -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: 128 + everyone.count * 48)
        var page = JSONWriter(capacity: 1_024)
        var isFirst = true
        for (member, position) in everyone.positions where member != you {
            if !isFirst { page.raw(",") }
            isFirst = false
            writePin(member, position, into: &page)
            if page.bytes.count > 60_000 {
                writePage(page, id: id, topic: topic, you: you, isLast: false, into: &buffer)
                page = JSONWriter(capacity: 61_000)
                isFirst = true
            }
        }
        writePage(page, id: id, topic: topic, you: you, isLast: true, into: &buffer)
        return buffer
    }

    private static func writePin(_ member: WorldID, _ position: [UInt8], into page: inout JSONWriter) {
        page.raw("{\"pin\":\"")
        page.raw(member.description.utf8)
        if !position.isEmpty {
            page.raw("\",\"at\":\"")
            page.raw(position)
        }
        page.raw("\"}")
    }

    private static func writePage(
        _ pins: JSONWriter,
        id: Int64,
        topic: Int64,
        you: WorldID,
        isLast: Bool,
        into buffer: inout ByteBuffer
    ) {
        var frame = JSONWriter(capacity: pins.bytes.count + 128)
        frame.raw("{\"type\":\"world\",\"id\":")
        frame.integer(id)
        frame.raw(",\"topic\":")
        frame.integer(topic)
        frame.raw(",\"current\":")
        if isLast { frame.raw("true") } else { frame.raw("false") }
        frame.raw(",\"you\":\"")
        frame.raw(you.description.utf8)
        frame.raw("\",\"pins\":[")
        frame.raw(pins.bytes)
        frame.raw("]}")
        TextFrame.write(frame.bytes, into: &buffer)
    }

    private static func name(of event: WorldEvent) -> String {
        switch event {
        case .joined: "join"
        case .moved: "update"
        case .left: "disappear"
        }
    }
}
