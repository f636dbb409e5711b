import HTTPTypes
package import Hummingbird
import Logging
import YonderJSON
import YonderModel

/// Answers requests that no endpoint answered: unknown paths, wrong methods, and unexpected errors.
///
/// Unexpected errors are logged; the caller gets no details.
///
/// `ServerAssembly` and `ConsoleAssembly` put it around the router, first of all, so that every error has the form of
/// REST. An error that isn't expected is answered without its text, which may have secrets: this must stay
/// (`Documentation/errors.md`, `test_openapi.py`).
package struct RefusalMiddleware: RouterMiddleware {
    package typealias Context = RESTContext

    private let table: RouteTable
    private let lines: RESTLines

    package init(table: RouteTable, lines: RESTLines = RESTLines()) {
        (self.table, self.lines) = (table, lines)
    }

    @concurrent package func handle(
        _ request: Request,
        context: RESTContext,
        next: @concurrent (Request, RESTContext) async throws -> Response
    ) async throws -> Response {
        let path = (request.head.path ?? "").utf8.prefix { $0 != UInt8(ascii: "?") }
        guard PercentEncoding.decoded(target: path) != nil else {
            let sentence = "The path must have valid percent-encoding, of UTF-8."
            return RESTAnswer.refusal(SharingError(.invalidField, sentence)).response
        }
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            return missing(request)
        } catch let error as SharingError {
            return RESTAnswer.refusal(error).response
        } catch let error as HTTPError {
            context.logger.debug("Refused", metadata: ["error": "\("\(error)".utf8.logged(atMost: 500))"])
            return RESTAnswer.refusal(
                SharingError(.invalidFrame, "The request must be HTTP/1.1 with a body of its Content-Length.")
            ).response
        } catch {
            lines.failed("Endpoint failed", error: "\(error)", context.logger)
            return RESTAnswer.refusal(SharingError(.internalError, "The server failed; its log says more."))
                .response
        }
    }

    private func missing(_ request: Request) -> Response {
        let path = request.uri.path.split(separator: "/")
        var methods = Set(table.methods(of: path).map(\.rawValue))
        if methods.contains("GET") { methods.insert("HEAD") }
        guard !methods.isEmpty else {
            return RESTAnswer.refusal(SharingError(.notFound, "There is nothing at this path.")).response
        }
        let allowed = methods.sorted().joined(separator: ", ")
        let error = SharingError(.methodNotAllowed, "The method must be one of \(allowed).")
        var answer = RESTAnswer.refusal(error)
        answer.headers[.allow] = allowed
        return answer.response
    }
}
