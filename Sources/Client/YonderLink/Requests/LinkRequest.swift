/// A request to the server's REST API.
///
/// `RESTClient` and `EngineConversation` make requests; `NetworkRequestLink` and `SystemRequestLink` carry them. Nothing here
/// fails. Whether a request may be sent twice must be right: a POST that is repeated by itself would send a message twice
/// (`RequestLinkTests` tries both links). ``jsonLimit`` may be raised; it bounds what a broken server can make a phone hold.
package struct LinkRequest: Hashable, Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"

        /// Whether asking twice does what asking once does, by the method alone.
        package var isRepeatable: Bool { self == .get || self == .put || self == .delete }
    }

    package var method: Method

    /// The path, from `/v1` on, with a query if there is one.
    package var path: String

    package var headers: [LinkHeader] = []
    package var body: [UInt8] = []

    /// The most bytes of the answer's body.
    package var limit: Int

    /// Whether the request may be sent again by itself after a kept connection failed; at first by the method.
    ///
    /// `URLSession` doesn't ask: it may send any GET again.
    package var isRepeatable: Bool

    /// The most bytes of an answer in JSON, but of a page of messages, which may be larger.
    package static let jsonLimit = 4 << 20

    package init(
        _ method: Method,
        _ path: String,
        headers: [LinkHeader] = [],
        body: [UInt8] = [],
        limit: Int = jsonLimit
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
        self.limit = limit
        isRepeatable = method.isRepeatable
    }
}

/// A header field of a request or an answer.
package struct LinkHeader: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether this is the field of this name, in any case.
    package func isNamed(_ name: String) -> Bool { self.name.lowercased() == name.lowercased() }
}

/// The server's answer to a request.
package struct LinkAnswer: Hashable, Sendable {
    package var status: Int
    package var headers: [LinkHeader]
    package var body: [UInt8]

    package init(status: Int, headers: [LinkHeader] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The values of a header, in order.
    package func values(_ name: String) -> [String] {
        headers.filter { $0.isNamed(name) }.map(\.value)
    }
}

/// Carries requests to a server, and its answers back.
///
/// Follows no redirect, and keeps neither cookies nor answers.
package protocol RequestLink: Sendable {
    /// Sends a request, and waits for the whole answer.
    ///
    /// - Throws: `lost` if there was none, if it was longer than the request's limit, or if the task was canceled.
    func answer(to request: LinkRequest) async throws(LinkClosure) -> LinkAnswer
}
