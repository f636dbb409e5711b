import HTTPTypes
import Hummingbird

/// Tells browsers what a page of this server may do, on every answer.
struct SecurityHeadersMiddleware: RouterMiddleware {
    typealias Context = RESTContext

    /// Everything from here alone; the map's worker is a blob.
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

    /// A year of TLS alone, for this host and no other (RFC 6797).
    private static let transport = ("Strict-Transport-Security", "max-age=31536000")

    private let headers: [HTTPField]

    /// Creates it; `isTLS` says whether the server itself speaks TLS.
    ///
    /// A proxy that does has its own say.
    init(isTLS: Bool, mapOrigins: [String] = []) {
        let policy = ("Content-Security-Policy", Self.policy(mapOrigins: mapOrigins))
        headers = ([policy] + Self.fields + (isTLS ? [Self.transport] : [])).compactMap { name, value in
            HTTPField.Name(name).map { HTTPField(name: $0, value: value) }
        }
    }

    @concurrent func handle(
        _ request: Request,
        context: RESTContext,
        next: @concurrent (Request, RESTContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        for header in headers { response.headers.append(header) }
        return response
    }
}
