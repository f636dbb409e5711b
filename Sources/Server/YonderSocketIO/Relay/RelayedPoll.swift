import NIOCore
import NIOHTTP1
import YonderBus
import YonderTransport

/// A client's poll, or its packets, on the way to the node of their session.
///
/// Bytes of another form throw ``BusFault``, and the poll is answered as one of an unknown session. The form must stay while nodes
/// of two versions run side by side: with another field, an earlier node can't read it.
struct RelayedPoll: Hashable {
    /// The method of a message which says that a poll's client is gone; an earlier node refuses it as it does any other.
    private static let abandoning = "ABANDON"

    let method: String
    let query: String
    let body: [UInt8]

    /// The request, in the form that the session's node receives from its own clients.
    var request: EngineServer.PollRequest {
        EngineServer.PollRequest(method: HTTPMethod(rawValue: method), query: query[...]) { [body] limit in
            guard body.count <= limit else { throw NIOTooManyBytesError(maxBytes: limit) }
            return ByteBuffer(bytes: body)
        }
    }

    /// Whether the poll's client is gone.
    var isAbandoned: Bool { method == Self.abandoning }

    func encoded() -> [UInt8] {
        var writer = BusWriter()
        writer.text(method)
        writer.text(query)
        writer.blob(body)
        return writer.bytes
    }
}

extension RelayedPoll {
    /// The message that a poll's client is gone.
    init(abandoning request: EngineServer.PollRequest) {
        self.init(method: Self.abandoning, query: String(request.query), body: [])
    }

    init(_ bytes: [UInt8]) throws(BusFault) {
        var reader = BusReader(bytes)
        self.init(method: try reader.text(), query: try reader.text(), body: try reader.blob())
        guard reader.isAtEnd else { throw reader.fault }
    }
}

/// The response to a ``RelayedPoll`` on its way back.
struct RelayedAnswer: Hashable {
    let status: Int64
    let headers: [[String]]
    let body: [UInt8]

    init(_ response: EngineServer.PollResponse) {
        status = Int64(response.status.code)
        headers = response.headers.map { [$0.name, $0.value] }
        body = Array(response.body.readableBytesView)
    }

    init(_ bytes: [UInt8]) throws(BusFault) {
        var reader = BusReader(bytes)
        status = try reader.integer(in: 200...599)
        headers = try reader.list { reader throws(BusFault) in [try reader.text(), try reader.text()] }
        body = try reader.blob()
        guard reader.isAtEnd else { throw reader.fault }
    }

    var response: EngineServer.PollResponse {
        EngineServer.PollResponse(
            status: HTTPResponseStatus(statusCode: Int(status)),
            headers: HTTPHeaders(headers.map { ($0[0], $0[1]) }),
            body: ByteBuffer(bytes: body)
        )
    }

    func encoded() -> [UInt8] {
        var writer = BusWriter()
        writer.integer(status)
        writer.list(headers) { writer, header in
            writer.text(header[0])
            writer.text(header[1])
        }
        writer.blob(body)
        return writer.bytes
    }
}
