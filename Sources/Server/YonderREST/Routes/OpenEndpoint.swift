package import HTTPTypes
import Hummingbird
import NIOCore
package import YonderModel
import YonderJSON

/// A request to an endpoint that authenticates callers itself: tokens and cookies aren't read for it.
///
/// `PlacesFacade` registers its paths by ``RESTRoutes/open(_:_:_:)`` and answers in its own form, also for refusals; the
/// common steps of `RESTRoutes` don't run, but for finding the network and counting the body. A body is read once.
/// Whatever such an endpoint answers is public unless it checks the caller itself.
///
/// `FacadeServer` and `test_places_facade.py` try it.
package struct OpenRequest: Sendable {
    /// The method.
    package let method: HTTPRequest.Method

    /// The path as received, with its escapes and without the query.
    package let path: String

    /// The query as received, without its question mark; empty if there is none.
    package let query: String

    /// The body's media type as received, or `nil`.
    package let contentType: String?

    /// The client's network, for which failed attempts are counted.
    package let network: String

    private let request: Request
    private let context: RESTContext

    init(_ request: Request, _ context: RESTContext, network: String) {
        self.request = request
        self.context = context
        self.network = network
        method = request.method
        let target = (request.head.path ?? "/").split(
            separator: "?",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        path = String(target[0])
        query = target.count > 1 ? String(target[1]) : ""
        contentType = request.headers[.contentType]
    }

    /// The part of the path at `{name}` in the route.
    package func parameter(_ name: String) -> String? { context.parameters.get(name) }

    /// Reads the body.
    ///
    /// - Throws: `tooLarge` if the body has more than `limit` bytes, `invalidFrame` if it ends early.
    package func body(upTo limit: Int) async throws(SharingError) -> [UInt8] {
        do {
            return Array(try await request.body.collect(upTo: limit).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw SharingError(.tooLarge, "The body must have at most \(limit) bytes.")
        } catch {
            throw SharingError(
                .invalidFrame,
                "The body must be as long as its Content-Length; it ended earlier."
            )
        }
    }
}

/// The answer of such an endpoint.
package struct OpenAnswer: Sendable {
    /// The status.
    package let status: HTTPResponse.Status

    /// A JSON text.
    package let json: [UInt8]

    /// The time after which to try again, or `nil`.
    package let retryAfter: Duration?

    /// Creates an answer.
    package init(_ status: HTTPResponse.Status, json: [UInt8], retryAfter: Duration? = nil) {
        self.status = status
        self.json = json
        self.retryAfter = retryAfter
    }
}

extension RESTRoutes {
    /// Answers a request.
    package typealias OpenEndpoint = @Sendable (OpenRequest) async -> OpenAnswer

    /// Adds an endpoint that authenticates callers itself.
    package func open(_ method: HTTPRequest.Method, _ path: String, _ endpoint: @escaping OpenEndpoint) {
        raw(method, path) { request, context, network in
            let answer = await endpoint(OpenRequest(request, context, network: network))
            var whole = RESTAnswer.json(answer.status) { $0.raw(answer.json) }
            if let wait = answer.retryAfter {
                whole.headers[.retryAfter] = String(Int64((wait / .seconds(1)).rounded(.up)))
            }
            return whole
        }
    }
}
