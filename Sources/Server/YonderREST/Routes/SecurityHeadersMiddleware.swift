import HTTPTypes
package import Hummingbird

/// Adds security headers to every answer, which restrict a page of this server in the browser.
///
/// `ServerAssembly` puts it around the router; it never fails. The policy lets the page load from this server and the
/// operator's map hosts alone: a further foreign origin weakens the page against injected text, and needs a reason.
/// `WebAndProbeTests` hold the headers.
package struct SecurityHeadersMiddleware: RouterMiddleware {
    package typealias Context = RESTContext

    /// Permits resources from this server only; the map's worker is a blob.
    ///
    /// A picture on another server would tell that one who looks at whom: the page shows initials instead.
    /// Tiles are the exception: the map asks the `mapOrigins`, and no other server, for those.
    static func policy(mapOrigins: [String] = []) -> String {
        let others = mapOrigins.map { " " + $0 }.joined()
        return [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "font-src 'self'",
            "connect-src 'self'\(others)",
            "img-src 'self' data: blob:\(others)", "worker-src 'self' blob:", "child-src blob:",
            "manifest-src 'self'",
            "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
        ].joined(separator: "; ")
    }

    private static let fields: [(String, String)] = [
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Permissions-Policy", "geolocation=(self), screen-wake-lock=(self), camera=(), microphone=()"),
    ]

    /// Requires TLS for a year, for this host only (RFC 6797).
    private static let transport = ("Strict-Transport-Security", "max-age=31536000")

    private let headers: [HTTPField]

    /// Creates the middleware; `isTLS` states whether the server itself uses TLS.
    ///
    /// A proxy that does has its own say.
    package init(isTLS: Bool, mapOrigins: [String] = []) {
        let policy = ("Content-Security-Policy", Self.policy(mapOrigins: mapOrigins))
        headers = ([policy] + Self.fields + (isTLS ? [Self.transport] : [])).compactMap { name, value in
            HTTPField.Name(name).map { HTTPField(name: $0, value: value) }
        }
    }

    @concurrent package func handle(
        _ request: Request,
        context: RESTContext,
        next: @concurrent (Request, RESTContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        for header in headers { response.headers.append(header) }
        return response
    }
}
