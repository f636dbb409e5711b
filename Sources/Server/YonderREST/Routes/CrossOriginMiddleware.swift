import HTTPTypes
package import Hummingbird
package import YonderAccounts

/// Permits pages of listed origins, and no others, to read answers under `/v1` and `/api`.
///
/// `ServerAssembly` puts it around the router; it never fails. A page of an origin that isn't listed gets no headers,
/// and its browser hides the answer. Cookies of foreign pages must never be allowed here (`OriginTests`,
/// `Documentation/rest.md`). The time for which a browser keeps the permission may be changed.
package struct CrossOriginMiddleware: RouterMiddleware {
    package typealias Context = RESTContext

    private let origins: Origins

    package init(origins: Origins) {
        self.origins = origins
    }

    @concurrent package func handle(
        _ request: Request,
        context: RESTContext,
        next: @concurrent (Request, RESTContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        guard path.hasPrefix("/v1/") || path.hasPrefix("/api/"), let origin = request.headers[.origin],
            origins.lists(origin)
        else {
            return try await next(request, context)
        }
        var response = try await answer(request, context, next)
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlAllowCredentials] = "true"
        response.headers.append(HTTPField(name: .vary, value: "Origin"))
        return response
    }

    @concurrent private func answer(
        _ request: Request,
        _ context: RESTContext,
        _ next: @concurrent (Request, RESTContext) async throws -> Response
    ) async throws -> Response {
        guard request.method == .options, request.headers.contains(.accessControlRequestMethod) else {
            return try await next(request, context)
        }
        var headers: HTTPFields = [:]
        headers[.accessControlAllowMethods] = "GET, POST, PUT, PATCH, DELETE"
        headers[.accessControlAllowHeaders] = "Authorization, Content-Type"
        headers[.accessControlMaxAge] = "600"
        return Response(status: .noContent, headers: headers)
    }
}
