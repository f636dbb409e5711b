import HTTPTypes
package import YonderMetrics
import YonderModel
import YonderJSON

/// The endpoints for operators to monitor the server.
///
/// `ServerAssembly` registers them, without a sign-in. `/health` says that the process answers, `/ready` that it should
/// get requests, which a load balancer and `yonder ready` ask. Paths, statuses and the metrics' names must stay
/// (`Documentation/operations.md`, `WebAndProbeTests`). None of the three may wait for long.
package struct ProbeEndpoints: Sendable {
    private let readiness: @Sendable () async -> Readiness
    private let refresh: @Sendable () -> Void
    private let registry: MetricsRegistry

    /// Creates the endpoints.
    ///
    /// - Parameters:
    ///   - readiness: Finds out whether the server is ready for requests.
    ///   - refresh: Updates metrics that are counted outside the registry; called before each answer of `/metrics`.
    ///   - registry: The metrics.
    package init(
        readiness: @escaping @Sendable () async -> Readiness,
        refresh: @escaping @Sendable () -> Void,
        registry: MetricsRegistry
    ) {
        let process = ProcessMetrics(factory: registry)
        self.readiness = readiness
        self.refresh = {
            process.refresh()
            refresh()
        }
        self.registry = registry
    }

    /// Adds the endpoints.
    package func register(in routes: RESTRoutes) {
        routes.on(.get, "/health", access: .anyone, query: nil) { _ throws(SharingError) in
            Readiness().answer
        }
        routes.on(.get, "/ready", access: .anyone, query: nil) { _ throws(SharingError) in
            let readiness = await readiness()
            if let refusal = readiness.refusal { throw refusal }
            return readiness.answer
        }
        routes.on(.get, "/metrics", access: .anyone, query: nil) { _ throws(SharingError) in
            refresh()
            return .text(registry.text, type: PrometheusText.contentType)
        }
    }
}
