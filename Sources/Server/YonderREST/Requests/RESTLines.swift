package import Logging
import YonderModel
import YonderJSON
import YonderRules

/// The log lines that a request can cause, each kind at its rate, and with a peer's text escaped and cut.
package struct RESTLines: Sendable {
    private let hosts = LineRate()
    private let failures = LineRate()

    package init() {}

    /// A link couldn't be made for the host of a request.
    func unknownHost(_ host: String, _ error: SharingError, by actor: String, _ logger: Logger) {
        guard let omitted = hosts.take(actor) else { return }
        logger.warning(
            "\(error.message)",
            metadata: ["host": "\(host.utf8.logged())", "by": "\(actor)", "omitted": "\(omitted)"]
        )
    }

    /// A request failed for a reason of the server's; `what` is the line's text.
    package func failed(_ what: Logger.Message, error: String, _ logger: Logger) {
        guard let omitted = failures.take() else { return }
        logger.error(what, metadata: ["error": "\(error.utf8.logged(atMost: 500))", "omitted": "\(omitted)"])
    }
}
