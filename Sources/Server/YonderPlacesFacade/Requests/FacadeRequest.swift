import HTTPTypes
import YonderJSON
import YonderModel
import YonderREST

/// A request to this API, before its signature is checked.
///
/// `PlacesFacade` reads one for each request before it looks at the signature, so nothing in it is trusted yet, and
/// nothing traps. The names in ``envelope`` and the two paths must stay, because signatures cover them
/// (`Documentation/places-facade.md`, `test_places_facade.py`); both byte limits may be changed.
struct FacadeRequest: Sendable {
    /// The method; a `_method` parameter overrides the request's own.
    let method: HTTPRequest.Method

    /// The paths that the client may have signed: the whole path, and the path without `/api`, which some
    /// clients' base address includes.
    let paths: [String]

    /// The parameters.
    let parameters: FormParameters

    /// The client's network, for which failed attempts are counted.
    let network: String

    /// Whether the request changes nothing.
    var isReading: Bool { method == .get || method == .head }

    /// The most bytes of a query.
    static let queryLimit = 16 * 1024

    /// The most bytes of a body.
    static let bodyLimit = 128 * 1024

    /// The parameters that any request may have: its signature, and those that clients add for transport.
    static let envelope: Set<String> = [
        "key", "nonce", "time", "signature", "method", "path", "_method", "_",
    ]

    private static let prefix = "/api"

    /// Reads a request.
    ///
    /// - Throws: `InvalidRequest`, `TooLarge`, `TooMany`, `InvalidParameter`, `RepeatedParameter`.
    init(_ request: OpenRequest) async throws(FacadeRefusal) {
        let form = try await Self.form(request)
        parameters = try FormParameters(form)
        method = try Self.method(request, parameters)
        paths = [String(request.path.dropFirst(Self.prefix.count)), request.path]
        network = request.network
        // Some clients also send `method` and `path`, which others only sign.
        let method = try parameters.string("method") ?? method.rawValue
        let path = try parameters.string("path")
        let isPath = path.map { path in paths.contains { $0.utf8.elementsEqual(path.utf8) } } ?? true
        guard method.utf8.elementsEqual(self.method.rawValue.utf8), isPath else {
            throw FacadeRefusal(.invalidParameter, "method and path must be those of the request.")
        }
    }

    /// The form: in the query of a reading request, in the body of a writing one, in either for a deletion,
    /// never in both.
    private static func form(_ request: OpenRequest) async throws(FacadeRefusal) -> [UInt8] {
        guard request.query.utf8.count <= queryLimit else {
            throw FacadeRefusal(.tooLarge, "The query must be at most \(queryLimit) bytes.")
        }
        guard !request.query.unicodeScalars.contains("\u{FFFD}") else {
            throw FacadeRefusal(.invalidRequest, "The query must be UTF-8.")
        }
        let query = Array(request.query.utf8)
        guard request.method != .get, request.method != .head else { return query }
        let body = try await translated { () async throws(SharingError) in
            try await request.body(upTo: bodyLimit)
        }
        if body.isEmpty, request.method == .delete { return query }
        guard query.isEmpty else {
            throw FacadeRefusal(.invalidRequest, "The query must be empty: send the parameters in the body.")
        }
        guard body.isEmpty || isForm(request.contentType) else {
            throw FacadeRefusal(.invalidRequest, "The body's type must be application/x-www-form-urlencoded.")
        }
        return body
    }

    private static func isForm(_ type: String?) -> Bool {
        let name = type?.utf8.prefix { $0 != UInt8(ascii: ";") }
        return name?.trimmed.isIgnoringCase("application/x-www-form-urlencoded") ?? false
    }

    private static func method(_ request: OpenRequest, _ parameters: FormParameters) throws(FacadeRefusal)
        -> HTTPRequest.Method
    {
        guard let name = try parameters.string("_method") else { return request.method }
        guard request.method == .get || request.method == .post,
            let method = [HTTPRequest.Method.get, .post, .put, .delete].first(where: {
                $0.rawValue.utf8.elementsEqual(name.utf8)
            })
        else {
            throw FacadeRefusal(
                .invalidParameter,
                "_method must be GET, POST, PUT or DELETE, in a GET or POST."
            )
        }
        return method
    }
}
