import Metrics
import Hummingbird
import YonderREST

/// Counts requests and times them, by method, route and status.
///
/// `ServerAssembly` puts it around the router. Nothing fails. The route stands in the label, never the path, which has
/// ids and would make a series for each. Names are promised in `Documentation/operations.md` and must stay.
struct RequestMetricsMiddleware: RouterMiddleware {
    typealias Context = RESTContext

    private let factory: any MetricsFactory

    init(factory: any MetricsFactory) {
        self.factory = factory
    }

    @concurrent func handle(
        _ request: Request,
        context: RESTContext,
        next: @concurrent (Request, RESTContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        record(request, context, response, ContinuousClock.now - start)
        return response
    }

    private func record(_ request: Request, _ context: RESTContext, _ response: Response, _ time: Duration) {
        // The route's template, not the path, so that the number of series is bounded.
        let route = context.endpointPath ?? "none"
        let method = Self.methods.contains(request.method) ? request.method.rawValue : "other"
        let dimensions = [("method", method), ("route", route), ("status", "\(response.status.code)")]
        Counter(label: "yonder_http_requests_total", dimensions: dimensions, factory: factory).increment()
        Timer(label: "yonder_http_request_seconds", dimensions: [("route", route)], factory: factory)
            .recordNanoseconds(Int64(time / .nanoseconds(1)))
    }

    private static let methods: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .patch, .delete, .options,
    ]
}
