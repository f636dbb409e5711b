import HTTPTypes
package import Hummingbird
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import ServiceLifecycle
package import YonderTransport

// `ServerAssembly` adds them to the router, beside REST's. Any origin may ask, as clients of the older API do, and no
// cookie counts there: both must stay together (`Documentation/socket-io.md`, `SocketIOServerTests`). A refusal is
// Engine.IO's own.

extension EngineServer {
    /// Adds the HTTP routes: polls, packets from clients, and CORS preflights for any origin.
    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let methods: [HTTPRequest.Method] = [.get, .post, .put, .patch, .delete, .head, .options]
        for method in methods {
            router.on(RouterPath(settings.path), method: method) { request, _ in
                _ = IncomingBody.current?.allow(for: nil)
                return await self.respond(to: request)
            }
        }
    }

    private func respond(to request: Request) async -> Response {
        let poll = PollRequest(
            method: HTTPMethod(request.method),
            query: Substring(request.uri.query ?? ""),
            body: { try await request.body.collect(upTo: $0) }
        )
        let response = await withGracefulShutdownHandler {
            await respond(to: poll)
        } onGracefulShutdown: {
            self.close(poll)
        }
        return Response(
            status: HTTPResponse.Status(code: Int(response.status.code)),
            headers: HTTPFields(response.headers, splitCookie: false),
            body: response.body.readableBytes > 0 ? ResponseBody(byteBuffer: response.body) : ResponseBody()
        )
    }
}
