#if os(Linux)
import NIOCore
import NIOHTTP1

/// Sends requests over HTTP/1.1 connections, of which it keeps one open.
///
/// On Linux `Links` has one for all requests to a server; elsewhere it is a `SystemRequestLink`. `RESTClient` and
/// `SocketIOClient` call it, side by side: the kept connection carries one request, others get connections of their own. A
/// request is repeated once, if it may be, and if a kept connection ended before anything of the answer came. That a POST
/// isn't must stay (`RequestLinkTests`).
actor NetworkRequestLink: RequestLink {
    private let settings: NetworkSettings
    private var kept: RequestConnection?

    init(_ settings: NetworkSettings) {
        self.settings = settings
    }

    deinit {
        kept?.close()
    }

    func answer(to request: LinkRequest) async throws(LinkClosure) -> LinkAnswer {
        if let connection = kept {
            kept = nil
            if connection.isOpen {
                do throws(LinkClosure) {
                    return try await answer(to: request, over: connection)
                } catch {
                    // The server may have closed a connection that rested while the request was on its way.
                    let hasBegun = await connection.hasBegunToAnswer()
                    guard request.isRepeatable, !hasBegun, !Task.isCancelled else { throw error }
                }
            }
        }
        return try await answer(to: request, over: try await RequestConnection.open(settings))
    }

    private func answer(
        to request: LinkRequest,
        over connection: RequestConnection
    ) async throws(LinkClosure) -> LinkAnswer {
        let read = try await connection.answer(to: head(of: request), request)
        if read.isKept, kept == nil { kept = connection } else { connection.close() }
        return read.answer
    }

    private func head(of request: LinkRequest) -> HTTPRequestHead {
        var headers: HTTPHeaders = ["Host": settings.address.authority, "User-Agent": "yonder-client"]
        for header in request.headers { headers.add(name: header.name, value: header.value) }
        if !request.body.isEmpty || request.method != .get {
            headers.add(name: "Content-Length", value: "\(request.body.count)")
        }
        let method = HTTPMethod(rawValue: request.method.rawValue)
        return HTTPRequestHead(
            version: .http1_1,
            method: method,
            uri: settings.address.prefix + request.path,
            headers: headers
        )
    }
}
#endif
