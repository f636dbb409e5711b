import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import YonderModel

/// A request as an endpoint sees it: who asks, and for what.
struct RESTCall: Sendable {
    /// The most bytes a body may have: room for the longest message with all its bytes escaped is not needed, for
    /// one as long as it may be is.
    static let bodyLimit = 128 * 1024

    /// The media type of every body but a file's.
    static let jsonType = "application/json"

    let request: Request
    let context: RESTContext

    /// Where it comes from, and whose attempts it counts for.
    let origin: RequestOrigin

    /// Whether the client speaks TLS.
    let isSecure: Bool

    /// Whether a listed proxy sent it.
    let isForwarded: Bool

    /// Whether it comes over the control socket, from whoever runs the server.
    let isConsole: Bool

    private let address: PublicAddress
    fileprivate let known: Caller?

    init(
        request: Request,
        context: RESTContext,
        authenticator: Authenticator?,
        address: PublicAddress,
        caller: Caller?
    ) {
        self.request = request
        self.context = context
        origin =
            authenticator?.origin(of: request.head, from: context.peer)
            ?? RequestOrigin(network: "console", isForwardedSecurely: false)
        isSecure = authenticator?.isSecure(request.head, from: context.peer) ?? false
        isForwarded = authenticator?.isForwarded(context.peer) ?? false
        isConsole = authenticator == nil
        self.address = address
        known = caller
    }

    /// Who asks, or `nil` for somebody without an account.
    var optionalCaller: Caller? { known }

    /// Who asks, for the log.
    var actor: String { isConsole ? "command line" : known.map { "\($0.user)" } ?? "nobody" }

    /// Where somebody who signs in comes from.
    var signInOrigin: SignInOrigin {
        SignInOrigin(
            origin,
            device: SecretCookie.device.secret(in: request.headers, isSecure: isSecure),
            userAgent: request.headers[.userAgent] ?? ""
        )
    }

    /// Who asks.
    ///
    /// - Throws: `notSignedIn`.
    var caller: Caller {
        get throws(SharingError) {
            guard let known else { throw SharingError(.notSignedIn, "Sign in first.") }
            return known
        }
    }

    /// An identifier in the path.
    ///
    /// - Throws: `unknown` if it can't be one.
    func id<Subject>(_ name: String, else unknown: SharingError.Code) throws(SharingError) -> Identifier<
        Subject
    > {
        guard let text = context.parameters.get(name), let id = Identifier<Subject>(text) else {
            throw SharingError(unknown, "\(name): no such id.")
        }
        return id
    }

    /// The chat in the path.
    ///
    /// - Throws: `unknownChat` if it can't be one.
    var chat: ChatID {
        get throws(SharingError) { try id("chat", else: .unknownChat) }
    }

    /// The body, an object with no other fields than `allowed`; if it `isOptional`, no body is an object without fields.
    ///
    /// - Throws: `tooLarge`, `missingField` if there is no body, and what ``JSONBody`` throws.
    func body(_ allowed: Set<String>, isOptional: Bool = false) async throws(SharingError) -> JSONBody {
        let bytes = try await bodyBytes()
        guard isOptional || !bytes.isEmpty else {
            throw SharingError(.missingField, "The body is missing; send a JSON object.")
        }
        return try JSONBody(bytes, allowed: allowed)
    }

    /// The body, for who reads it on their own.
    ///
    /// - Throws: `tooLarge`, and `invalidFrame` if it isn't said to be JSON.
    func bodyBytes() async throws(SharingError) -> [UInt8] {
        let buffer: ByteBuffer
        do {
            buffer = try await request.body.collect(upTo: Self.bodyLimit)
        } catch is NIOTooManyBytesError {
            throw SharingError(.tooLarge, "A body has at most \(Self.bodyLimit) bytes.")
        } catch {
            throw SharingError(.invalidFrame, "The body ended early.")
        }
        if buffer.readableBytes > 0 { try checkContentType() }
        return Array(buffer.readableBytesView)
    }

    /// Insists that the request says it is JSON, or something else that a form of a foreign page can't say.
    ///
    /// - Throws: `invalidFrame`.
    func checkContentType(_ types: Set<String> = [jsonType]) throws(SharingError) {
        guard let type = contentType, types.contains(type) else {
            let allowed = types.sorted().joined(separator: " or ")
            throw SharingError(.invalidFrame, "Content-Type must be \(allowed).")
        }
        guard isUTF8 else {
            throw SharingError(
                .invalidFrame,
                "Content-Type: a body must be UTF-8, and not of another charset."
            )
        }
    }

    /// Whether the body's media type leaves it at UTF-8.
    private var isUTF8: Bool {
        let parameters = request.headers[.contentType]?.split(separator: ";").dropFirst() ?? []
        return parameters.allSatisfy { parameter in
            let text = parameter.lowercased().filter { $0 != " " && $0 != "\"" }
            return !text.hasPrefix("charset=")
                || ["charset=utf-8", "charset=utf8", "charset=us-ascii"].contains(text)
        }
    }

    /// The body's media type in lower case, without its parameters, or `nil` if none is said.
    var contentType: String? {
        request.headers[.contentType]?.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    }

    /// The page's address in front of a fragment, for a link that carries a secret.
    ///
    /// Look at it before the secret is made, so that none is lost where no link can be made.
    ///
    /// - Throws: `unknownHost`, as ``PublicAddress`` has it.
    var baseURL: String {
        get throws(SharingError) {
            do throws(SharingError) {
                return try address.page(
                    authority: request.head.authority,
                    isSecure: isSecure,
                    isForwarded: isForwarded
                )
            } catch {
                context.logger.warning(
                    "\(error.message)",
                    metadata: ["host": "\(request.head.authority ?? "")"]
                )
                throw error
            }
        }
    }
}
