package import NIOCore
package import NIOHTTP1
import YonderWire

// Requests of clients that poll. The session is on its own event loop. A request that can't be is answered with a status and the
// protocol's own code, and ends no other session; two polls at once end theirs, as the protocol has it. A session of another node
// is asked there. The answers' form is Engine.IO's, for versions 3 and 4. The order of checks must stay: a refusal has the code of
// the first that fails.
extension EngineServer {
    /// A request of a client that polls, or sends packets.
    package struct PollRequest: Sendable {
        package var method: HTTPMethod

        /// The text after the first question mark.
        package var query: Substring

        /// The network of the client, for which a session that the request opens counts.
        package var network: String

        /// Returns the body, or throws `NIOTooManyBytesError` if it has more bytes than that.
        package var body: @Sendable (_ limit: Int) async throws -> ByteBuffer

        package init(
            method: HTTPMethod,
            query: Substring,
            network: String = "local",
            body: @escaping @Sendable (_ limit: Int) async throws -> ByteBuffer
        ) {
            self.method = method
            self.query = query
            self.network = network
            self.body = body
        }
    }

    /// The answer to a ``PollRequest``.
    package struct PollResponse: Sendable {
        package var status: HTTPResponseStatus
        package var headers: HTTPHeaders
        package var body: ByteBuffer

        package init(status: HTTPResponseStatus, headers: HTTPHeaders, body: ByteBuffer) {
            self.status = status
            self.headers = headers
            self.body = body
        }
    }

    /// Answers a request: a poll, packets from a client, or a CORS preflight of any origin.
    package func respond(to request: PollRequest) async -> PollResponse {
        guard request.method != .OPTIONS else { return preflight }
        do {
            return try await answer(request)
        } catch let refusal as EngineRefusal {
            return response(.badRequest, text: refusal.json, type: "application/json")
        } catch is TooManySessions {
            return response(
                .serviceUnavailable,
                text: EngineRefusal.badRequest.json,
                type: "application/json"
            )
        } catch is NIOTooManyBytesError {
            return response(.payloadTooLarge, text: EngineRefusal.badRequest.json, type: "application/json")
        } catch {
            return response(.badRequest, text: EngineRefusal.badRequest.json, type: "application/json")
        }
    }

    /// Closes the session of a poll that is being answered, because the server shuts down.
    package func close(_ request: PollRequest) {
        guard request.method == .GET, let id = EngineRequest(query: request.query).session else { return }
        session(id)?.execute { $0.close() }
    }

    /// Ends the session of a poll that another server forwarded, because the client is gone.
    package func abandon(_ request: PollRequest) {
        guard let id = EngineRequest(query: request.query).session else { return }
        // Whether or not the poll has come, its client doesn't get the answer.
        session(id)?.execute { $0.abandon() }
    }

    private func answer(_ request: PollRequest) async throws -> PollResponse {
        let query = EngineRequest(query: request.query)
        guard let transport = query.transport else { throw EngineRefusal.unknownTransport }
        guard let version = query.version else { throw EngineRefusal.unsupportedVersion }
        guard let id = query.session else { return try await handshake(request, query, version, transport) }
        guard let handle = session(id) else { return try await passOn(request, transport, of: id) }
        guard transport == .polling else { throw EngineRefusal.badRequest }
        switch request.method {
        case .GET: return try await poll(handle)
        case .POST: return try await receive(request, for: handle, version)
        default: throw EngineRefusal.badHandshakeMethod
        }
    }

    /// Forwards a request to the server on which its session began.
    private func passOn(_ request: PollRequest, _ transport: EngineRequest.Transport, of session: String)
        async throws -> PollResponse
    {
        guard let relay, transport == .polling, request.method == .GET || request.method == .POST else {
            throw EngineRefusal.unknownSession
        }
        let body = try await request.body(settings.maxPayload)
        let timeout = settings.pingInterval + settings.pingTimeout
        let bytes = Array(body.readableBytesView)
        let response = await ClientPresence.whileThere {
            await relay.respond(to: request, body: bytes, of: session, within: timeout)
        }
        guard let response else { throw EngineRefusal.unknownSession }
        return response
    }

    private struct TooManySessions: Error {}

    private func handshake(
        _ request: PollRequest,
        _ query: EngineRequest,
        _ version: EngineVersion,
        _ transport: EngineRequest.Transport
    ) async throws -> PollResponse {
        guard request.method == .GET else { throw EngineRefusal.badHandshakeMethod }
        guard transport == .polling else { throw EngineRefusal.badRequest }
        guard sessionCount < settings.sessionLimit else { throw TooManySessions() }
        return response(try await open(query, version: version, from: request.network))
    }

    // MARK: Polling

    private func poll(_ handle: EngineHandle) async throws -> PollResponse {
        let promise = handle.eventLoop.makePromise(of: [EnginePacket]?.self)
        handle.execute { $0.poll(promise) }
        let packets = try await watchingClient(of: handle) { try await promise.futureResult.get() }
        guard let packets else { throw EngineRefusal.badRequest }
        return response(try await handle.run { $0.body(of: packets) })
    }

    /// Ends the session if its client disconnects during the poll.
    private func watchingClient<Result: Sendable>(
        of handle: EngineHandle,
        _ body: () async throws -> Result
    ) async throws -> Result {
        guard let client = ClientPresence.current else { return try await body() }
        return try await client.watching(onEnd: { handle.execute { $0.pollAbandoned() } }, body)
    }

    // MARK: Receiving

    private func receive(
        _ request: PollRequest,
        for handle: EngineHandle,
        _ version: EngineVersion
    ) async throws -> PollResponse {
        do {
            let body = try await request.body(settings.maxPayload)
            let packets = try EnginePayload.packets(in: Array(body.readableBytesView), version: version)
            guard try await handle.run({ $0.receive(packets) }) else { throw EngineRefusal.badRequest }
            return response(.ok, text: "ok", type: "text/plain")
        } catch {
            handle.execute { $0.close() }
            throw error
        }
    }

    // MARK: Responses

    private func response(_ body: (bytes: [UInt8], isBinary: Bool)) -> PollResponse {
        response(
            .ok,
            ByteBuffer(bytes: body.bytes),
            type: body.isBinary ? "application/octet-stream" : "text/plain; charset=UTF-8"
        )
    }

    private func response(_ status: HTTPResponseStatus, text: String, type: String) -> PollResponse {
        response(status, ByteBuffer(string: text), type: type)
    }

    /// A response that any origin may read: it doesn't depend on credentials that a browser adds on its own.
    private func response(_ status: HTTPResponseStatus, _ body: ByteBuffer, type: String) -> PollResponse {
        let headers: HTTPHeaders = [
            "Content-Type": type, "Cache-Control": "no-store", "Access-Control-Allow-Origin": "*",
        ]
        return PollResponse(status: status, headers: headers, body: body)
    }

    private var preflight: PollResponse {
        let headers: HTTPHeaders = [
            "Access-Control-Allow-Origin": "*",
            "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
            "Access-Control-Allow-Headers": "Content-Type",
            "Access-Control-Max-Age": "86400",
        ]
        return PollResponse(status: .noContent, headers: headers, body: ByteBuffer())
    }
}
