package import HTTPTypes
import Hummingbird
import NIOCore
package import YonderModel

/// A request to an endpoint that finds out by itself who asks: neither tokens nor cookies are looked at for it.
package struct OpenRequest: Sendable {
    /// The method.
    package let method: HTTPRequest.Method

    /// The path as it was sent, escapes and all, without the query.
    package let path: String

    /// The query as it was sent, without its question mark; empty if there is none.
    package let query: String

    /// The body's type as it was sent, or `nil`.
    package let contentType: String?

    /// Whose attempts it counts for.
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

    /// What stands in the path where the route says `{name}`.
    package func parameter(_ name: String) -> String? { context.parameters.get(name) }

    /// The body.
    ///
    /// - Throws: `tooLarge` if it has more than `limit` bytes, `invalidFrame` if it ends early.
    package func body(upTo limit: Int) async throws(SharingError) -> [UInt8] {
        do {
            return Array(try await request.body.collect(upTo: limit).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw SharingError(.tooLarge, "A body has at most \(limit) bytes.")
        } catch {
            throw SharingError(.invalidFrame, "The body ended early.")
        }
    }
}

/// What such an endpoint answers.
package struct OpenAnswer: Sendable {
    /// The status.
    package let status: HTTPResponse.Status

    /// A JSON text.
    package let json: [UInt8]

    /// When to try again, or `nil`.
    package let retryAfter: Duration?

    /// Creates an answer.
    package init(_ status: HTTPResponse.Status, json: [UInt8], retryAfter: Duration? = nil) {
        self.status = status
        self.json = json
        self.retryAfter = retryAfter
    }
}

extension RESTRoutes {
    /// What such an endpoint does.
    package typealias OpenEndpoint = @Sendable (OpenRequest) async -> OpenAnswer

    /// Adds an endpoint that finds out by itself who asks.
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
