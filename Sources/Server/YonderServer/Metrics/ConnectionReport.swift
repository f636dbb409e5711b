import Logging
import Metrics
import NIOCore
import YonderModel
import YonderRules
import YonderTransport

/// Logs and counts what happens to connections: those closed to make room, and those that can't be accepted.
///
/// At most five displaced connections are logged at once, and then one a minute, so that no client can fill
/// the disk.
///
/// `ServerAssembly` makes one and passes its functions to the `ConnectionGate` and the listening channel, which call
/// them on any thread. Nothing fails. Names and labels of the counters are promised in `Documentation/operations.md` and
/// must stay; the rate of log lines may be changed (`ConnectionReportTests`).
struct ConnectionReport: Sendable {
    private let logger: Logger
    private let factory: any MetricsFactory
    private let rests: Counter
    private let lines = LineRate(RateLimit(burst: 5, interval: .seconds(60)))
    private let unlistedLines = LineRate(RateLimit(burst: 3, interval: .seconds(3_600)))

    init(logger: Logger, factory: any MetricsFactory) {
        self.logger = logger
        self.factory = factory
        rests = Counter(label: "yonder_accept_rests_total", factory: factory)
        // An alarm needs the series before the first displacement.
        for bound in Admission.Bound.allCases { displacements(bound).increment(by: 0) }
    }

    private func displacements(_ bound: Admission.Bound) -> Counter {
        Counter(
            label: "yonder_connections_displaced_total",
            dimensions: [("bound", bound.rawValue)],
            factory: factory
        )
    }

    /// The observer of a connection gate with these limits.
    func observer(limits: Admission.Limits) -> ConnectionGate.Observer {
        let kinds = ["anonymous", "signed in"].map { kind in
            Meter(label: "yonder_connections", dimensions: [("kind", kind)], factory: factory)
        }
        Meter(label: "yonder_connections_limit", factory: factory).set(limits.connections)
        return ConnectionGate.Observer(
            counted: { anonymous, people in
                kinds[0].set(anonymous)
                kinds[1].set(people)
            },
            displaced: displaced,
            unlisted: unlisted
        )
    }

    /// Any client can send the headers of a proxy, so at most three lines are logged at once, and then one an hour.
    private func unlisted(_ address: IPAddress) {
        guard unlistedLines.take() != nil else { return }
        logger.warning(
            """
            A forwarded request came from an address that isn't listed as a proxy: X-Forwarded-For doesn't count, all people \
            behind that address share one address's limits, and cookies aren't Secure. If it is a proxy of yours, list it: \
            --proxy ADDRESS, or proxy=ADDRESS in the settings file
            """,
            metadata: ["address": "\(address)"]
        )
    }

    /// Call this when the listening channel can't accept connections, or can again.
    func accepting(_ event: AcceptRestHandler.Event) {
        switch event {
        case .failed(let error, let isFirst):
            rests.increment()
            guard isFirst else { return }
            logger.warning(
                "No connection can be accepted for now; raise the limit of open files, or lower --max-connections",
                metadata: ["error": "\(error)"]
            )
        case .recovered(let length):
            logger.notice(
                "Connections are accepted again",
                metadata: ["after": "\(length.nanoseconds / 1_000_000) ms"]
            )
        }
    }

    private func displaced(_ displacement: Admission.Displacement) {
        displacements(displacement.bound).increment()
        guard let omitted = lines.take() else { return }
        logger.warning(
            "\(Self.reason(displacement.bound))",
            metadata: ["for": "\(Self.name(displacement.holder))", "omitted": "\(omitted)"]
        )
    }

    private static func reason(_ bound: Admission.Bound) -> String {
        let gaveWay = "the connection silent for longest gave way"
        return switch bound {
        case .address:
            "An address has as many connections without an account as it may (--max-address-connections): \(gaveWay). "
                + "If that is a proxy of yours, list it with --proxy."
        case .anonymous: "There are as many connections without an account as there may be: \(gaveWay)."
        case .connections: "There are as many connections as there may be (--max-connections): \(gaveWay)."
        case .people:
            "There are as many connections of people as there may be (--max-connections): \(gaveWay)."
        case .person: "A person has as many connections as one may have: \(gaveWay)."
        }
    }

    private static func name(_ holder: Admission.Holder) -> String {
        switch holder {
        case .address(let network): network
        case .proxy: "a proxy"
        case .person(let user): "user \(user)"
        }
    }
}
