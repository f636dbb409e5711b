import HTTPTypes
package import Hummingbird
import NIOCore
import ServiceLifecycle
import YonderWire

extension EngineServer {
    /// Adds the HTTP routes: polls, packets from clients, and CORS preflights for any origin.
    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let methods: [HTTPRequest.Method] = [.get, .post, .put, .patch, .delete, .head, .options]
        for method in methods {
            router.on(RouterPath(settings.path), method: method) { request, _ in
                await self.respond(to: request)
            }
        }
    }

    private func respond(to request: Request) async -> Response {
        guard request.method != .options else { return preflight }
        do {
            return try await answer(request)
        } catch let refusal as EngineRefusal {
            return response(.badRequest, text: refusal.json, type: "application/json")
        } catch let error as HTTPError {
            return response(error.status, text: EngineRefusal.badRequest.json, type: "application/json")
        } catch is NIOTooManyBytesError {
            return response(.contentTooLarge, text: EngineRefusal.badRequest.json, type: "application/json")
        } catch {
            return response(.badRequest, text: EngineRefusal.badRequest.json, type: "application/json")
        }
    }

    private func answer(_ request: Request) async throws -> Response {
        let query = EngineRequest(query: Substring(request.uri.query ?? ""))
        guard let transport = query.transport else { throw EngineRefusal.unknownTransport }
        guard let version = query.version else { throw EngineRefusal.unsupportedVersion }
        guard let id = query.session else { return try await handshake(request, query, version, transport) }
        guard let handle = session(id) else { throw EngineRefusal.unknownSession }
        guard transport == .polling else { throw EngineRefusal.badRequest }
        switch request.method {
        case .get: return try await poll(handle)
        case .post: return try await receive(request, for: handle, version)
        default: throw EngineRefusal.badHandshakeMethod
        }
    }

    private func handshake(
        _ request: Request,
        _ query: EngineRequest,
        _ version: EngineVersion,
        _ transport: EngineRequest.Transport
    ) async throws -> Response {
        guard request.method == .get else { throw EngineRefusal.badHandshakeMethod }
        guard transport == .polling else { throw EngineRefusal.badRequest }
        guard sessionCount < settings.sessionLimit else { throw HTTPError(.serviceUnavailable) }
        return response(try await open(query, version: version))
    }

    // MARK: Polling

    private func poll(_ handle: EngineHandle) async throws -> Response {
        let promise = handle.eventLoop.makePromise(of: [EnginePacket]?.self)
        handle.execute { $0.poll(promise) }
        let packets = try await watchingClient(of: handle) { try await promise.futureResult.get() }
        guard let packets else { throw EngineRefusal.badRequest }
        return response(try await handle.run { $0.body(of: packets) })
    }

    /// Ends the session if its client disconnects during the poll, and closes it properly if the server shuts
    /// down.
    private func watchingClient<Result: Sendable>(
        of handle: EngineHandle,
        _ body: () async throws -> Result
    ) async throws -> Result {
        try await withGracefulShutdownHandler {
            guard let client = ClientPresence.current else { return try await body() }
            return try await client.watching(onEnd: { handle.execute { $0.pollAbandoned() } }, body)
        } onGracefulShutdown: {
            handle.execute { $0.close() }
        }
    }

    // MARK: Receiving

    private func receive(
        _ request: Request,
        for handle: EngineHandle,
        _ version: EngineVersion
    ) async throws -> Response {
        do {
            var request = request
            let body = try await request.collectBody(upTo: settings.maxPayload)
            let packets = try EnginePayload.packets(in: Array(body.readableBytesView), version: version)
            guard try await handle.run({ $0.receive(packets) }) else { throw EngineRefusal.badRequest }
            return response(.ok, text: "ok", type: "text/plain")
        } catch {
            handle.execute { $0.refuse() }
            throw error
        }
    }

    // MARK: Responses

    private func response(_ body: (bytes: [UInt8], isBinary: Bool)) -> Response {
        response(
            .ok,
            ByteBuffer(bytes: body.bytes),
            type: body.isBinary ? "application/octet-stream" : "text/plain; charset=UTF-8"
        )
    }

    private func response(_ status: HTTPResponse.Status, text: String, type: String) -> Response {
        response(status, ByteBuffer(string: text), type: type)
    }

    /// A response that any origin may read: it doesn't depend on credentials that a browser adds on its own.
    private func response(_ status: HTTPResponse.Status, _ body: ByteBuffer, type: String) -> Response {
        let headers: HTTPFields = [
            .contentType: type, .cacheControl: "no-store", .accessControlAllowOrigin: "*",
        ]
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
    }

    private var preflight: Response {
        let headers: HTTPFields = [
            .accessControlAllowOrigin: "*",
            .accessControlAllowMethods: "GET, POST, OPTIONS",
            .accessControlAllowHeaders: "Content-Type",
            .accessControlMaxAge: "86400",
        ]
        return Response(status: .noContent, headers: headers)
    }
}
