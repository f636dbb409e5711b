import HTTPTypes
package import Hummingbird
import Logging
import NIOCore
import YonderJSON
package import YonderAccounts
package import YonderModel
package import YonderRules
package import YonderTransport

/// A request to an endpoint, with its caller.
///
/// `RESTRoutes` makes one for each request, after the query and the caller were checked, and passes it to the endpoint,
/// which reads from it what it needs. The body is received while it is read, so read it once. Each reading throws the
/// `SharingError` that the client gets as its answer: too large, of another type, not JSON. Limits may be changed with
/// `Documentation/rest.md`; which caller a credential stands for is decided by `Authenticator`.
package struct RESTCall: Sendable {
    /// The most bytes of a body: the longest message fits, unless most of its characters are written as
    /// escapes.
    package static let bodyLimit = 128 * 1024

    /// The media type of every body except files.
    package static let jsonType = "application/json"

    /// ``jsonType`` alone.
    package static let jsonTypes: FieldNames = ["application/json"]

    package let request: Request
    package let context: RESTContext

    /// The query parameters; none for an endpoint that ignores them.
    package let query: RESTQuery

    private let authenticator: Authenticator?
    private let address: PublicAddress
    private let needsOperator: Bool
    private let lines: RESTLines
    fileprivate let known: Caller?

    init(
        request: Request,
        context: RESTContext,
        query: RESTQuery = .none,
        authenticator: Authenticator?,
        address: PublicAddress,
        lines: RESTLines,
        caller: Caller?,
        needsOperator: Bool = false
    ) {
        self.request = request
        self.context = context
        self.query = query
        self.authenticator = authenticator
        self.address = address
        self.needsOperator = needsOperator
        self.lines = lines
        known = caller
    }

    /// The origin of the request, for which failed attempts are counted.
    package var origin: RequestOrigin {
        authenticator?.origin(of: request.head, from: context.peer)
            ?? RequestOrigin(network: "console", isForwardedSecurely: false)
    }

    /// Whether the client uses TLS.
    package var isSecure: Bool { authenticator?.isSecure(request.head, from: context.peer) ?? false }

    /// Whether a trusted proxy forwarded the request.
    package var isForwarded: Bool { authenticator?.isForwarded(context.peer) ?? false }

    /// Whether the request arrived over the control socket, which only the system user of the server can open.
    package var isConsole: Bool { authenticator == nil }

    /// The caller, or `nil` without an account.
    package var optionalCaller: Caller? { known }

    /// By whom the request waits in a queue that callers share.
    package var turn: TurnTaker {
        if isConsole { return .server }
        return known.map { .person($0.user) } ?? .stranger(origin.network)
    }

    /// The caller's name for the log.
    package var actor: String { isConsole ? "command line" : known.map { "\($0.user)" } ?? "nobody" }

    /// The caller as the author of a change of a user's account.
    package func author(changing user: UserID) -> Author {
        guard let known else { return Author(name: actor, actor: .server, network: nil) }
        return Author(
            name: actor,
            actor: known.user == user ? .user : .operator,
            network: origin.network
        )
    }

    /// Checks that the request was sent in a session.
    ///
    /// - Throws: `notAllowed` for a token.
    package func checkSession() throws(SharingError) {
        guard let known, known.kind != .session else { return }
        throw .needsSession
    }

    /// The origin of a sign-in with this request.
    package var signInOrigin: SignInOrigin {
        SignInOrigin(
            network: origin.network,
            subnet: origin.subnet,
            device: SecretCookie.device.secret(in: request.headers, isSecure: isSecure),
            userAgent: request.headers[.userAgent] ?? ""
        )
    }

    /// The caller.
    ///
    /// - Throws: `notSignedIn`.
    package var caller: Caller {
        get throws(SharingError) {
            guard let known else {
                throw SharingError(
                    .notSignedIn,
                    "This needs an account: send a bearer token or a session's cookie."
                )
            }
            return known
        }
    }

    /// The right by which the request makes a change, for the transaction that makes it.
    ///
    /// Read it when the change is made, behind the body: what expires meanwhile counts.
    ///
    /// - Throws: `notSignedIn` without a caller.
    package var warrant: Warrant {
        get throws(SharingError) { try warrant(needsOperator: needsOperator) }
    }

    /// As ``warrant``; `needsOperator` states whether only an operator may make the change.
    ///
    /// - Throws: `notSignedIn` without a caller.
    package func warrant(needsOperator: Bool) throws(SharingError) -> Warrant {
        guard let authenticator else { return .server }
        return try caller.warrant(needsOperator: needsOperator, at: authenticator.now)
    }

    /// The right by which a caller reads; `nil` for a caller without an account.
    package func readingWarrant(needsOperator: Bool? = nil) throws(SharingError) -> Warrant? {
        known == nil ? nil : try warrant(needsOperator: needsOperator ?? self.needsOperator)
    }

    /// An identifier in the path.
    ///
    /// - Throws: `unknown` if the text isn't a valid id.
    package func id<Subject>(_ name: String, else unknown: SharingError.Code) throws(SharingError)
        -> Identifier<
            Subject
        >
    {
        guard let text = context.parameters.get(name), let id = Identifier<Subject>(text) else {
            throw SharingError(unknown, "\(name): there is none with this id; an id is a decimal number.")
        }
        return id
    }

    /// The chat in the path.
    ///
    /// - Throws: `unknownChat` if the text isn't a valid id.
    package var chat: ChatID {
        get throws(SharingError) { try id("chat", else: .unknownChat) }
    }

    /// Reads the body, an object without fields other than `allowed`.
    ///
    /// If `isOptional`, a missing body counts as an empty object.
    ///
    /// - Throws: `tooLarge`, `missingField` if there is no body, and the errors of ``JSONBody``.
    package func body(_ allowed: FieldNames, isOptional: Bool = false) async throws(SharingError) -> JSONBody
    {
        let bytes = try await bodyBytes()
        guard isOptional || !bytes.isEmpty else {
            throw SharingError(.missingField, "The body is missing; send a JSON object.")
        }
        return try JSONBody(bytes, allowed: allowed)
    }

    /// Reads the bytes of the body.
    ///
    /// - Throws: `tooLarge`, and `invalidFrame` unless the media type is JSON.
    package func bodyBytes() async throws(SharingError) -> [UInt8] {
        let buffer: ByteBuffer
        do {
            buffer = try await request.body.collect(upTo: Self.bodyLimit)
        } catch is NIOTooManyBytesError {
            throw SharingError(.tooLarge, "The body must have at most \(Self.bodyLimit) bytes.")
        } catch {
            throw SharingError(
                .invalidFrame,
                "The body must be as long as its Content-Length; it ended earlier."
            )
        }
        if buffer.readableBytes > 0 { try checkContentType() }
        return Array(buffer.readableBytesView)
    }

    /// Checks that the media type is JSON, or one of `types`: none that a form on a foreign page can send.
    ///
    /// - Throws: `invalidFrame`.
    package func checkContentType(_ types: FieldNames = jsonTypes) throws(SharingError) {
        guard let type = contentType, types.contains(sent: type) else {
            throw SharingError(.invalidFrame, "Content-Type must be \(types.choices).")
        }
        guard isUTF8 else {
            throw SharingError(
                .invalidFrame,
                "Content-Type: charset must be utf-8, or left out."
            )
        }
    }

    /// Whether the body's media type names no other charset than UTF-8.
    private var isUTF8: Bool {
        let parts = request.headers[.contentType]?.utf8.split(separator: UInt8(ascii: ";")) ?? []
        return parts.dropFirst().allSatisfy { parameter in
            let text = parameter.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\"") }
            return !text.beginsIgnoringCase(with: "charset=") || text.isIgnoringCase("charset=utf-8")
                || text.isIgnoringCase("charset=utf8") || text.isIgnoringCase("charset=us-ascii")
        }
    }

    /// The body's media type as it was sent, without its parameters, or `nil` if there is none.
    package var contentType: Substring.UTF8View? {
        request.headers[.contentType].map { $0[...].utf8.prefix { $0 != UInt8(ascii: ";") }.trimmed }
    }

    /// The page's address in front of a fragment, for a link that carries a secret.
    ///
    /// Read it before creating the secret, so that no secret is wasted if no link can be made.
    ///
    /// - Throws: `unknownHost`: see ``PublicAddress``.
    package var baseURL: String {
        get throws(SharingError) {
            do throws(SharingError) {
                return try address.page(
                    authority: request.head.authority,
                    isSecure: isSecure,
                    isForwarded: isForwarded
                )
            } catch {
                lines.unknownHost(request.head.authority ?? "", error, by: actor, context.logger)
                throw error
            }
        }
    }
}

extension SharingError {
    /// A token, where a session is needed.
    static var needsSession: SharingError {
        SharingError(
            .notAllowed,
            "A token may not do this: sign in, and send the session's cookie."
        )
    }
}
