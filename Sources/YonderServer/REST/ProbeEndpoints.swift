import HTTPTypes
import YonderMetrics
import YonderModel
import YonderJSON
import YonderREST

/// The endpoints for operators to monitor the server.
struct ProbeEndpoints: Sendable {
    let isReady: @Sendable () async -> Bool
    let registry: MetricsRegistry
    let process: ProcessMetrics

    init(isReady: @escaping @Sendable () async -> Bool, registry: MetricsRegistry) {
        self.isReady = isReady
        self.registry = registry
        process = ProcessMetrics(factory: registry)
    }

    func register(in routes: RESTRoutes) {
        routes.on(.get, "/health", access: .anyone, query: nil) { _ throws(SharingError) in Self.fine }
        routes.on(.get, "/ready", access: .anyone, query: nil) { _ throws(SharingError) in
            guard await isReady() else {
                throw SharingError(
                    .unavailable,
                    "The store doesn't answer; try again after retryAfter.",
                    retryAfter: .seconds(1)
                )
            }
            return Self.fine
        }
        routes.on(.get, "/metrics", access: .anyone, query: nil) { _ throws(SharingError) in
            process.refresh()
            return .text(registry.text, type: PrometheusText.contentType)
        }
    }

    private static var fine: RESTAnswer {
        .json { $0.raw("{\"status\":\"ok\"}") }
    }
}
