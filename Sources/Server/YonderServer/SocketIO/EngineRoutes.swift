import HTTPTypes
package import Hummingbird
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import ServiceLifecycle
package import YonderTransport

// Any origin may ask, as clients of the older API do, and no cookie counts there: both must stay together
// (`Documentation/socket-io.md`). A refusal is Engine.IO's own.

extension EngineServer {
    /// Adds the HTTP routes: polls, packets from clients, and CORS preflights for any origin.
    ///
    /// - Parameters:
    ///   - router: The router.
    ///   - network: Returns the network of a request's client, for which its session counts.
    package func addRoutes<Context: RequestContext>(
        to router: some RouterMethods<Context>,
        network: @escaping @Sendable (Request, Context) -> String = { _, _ in "local" }
    ) {
        let methods: [HTTPRequest.Method] = [.get, .post, .put, .patch, .delete, .head, .options]
        for method in methods {
            router.on(RouterPath(settings.path), method: method) { request, context in
                _ = IncomingBody.current?.allow(for: nil)
                return await self.respond(to: request, from: network(request, context))
            }
        }
    }

    private func respond(to request: Request, from network: String) async -> Response {
        let poll = PollRequest(
            method: HTTPMethod(request.method),
            query: Substring(request.uri.query ?? ""),
            network: network,
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
