import HTTPTypes
import YonderModel

/// An error in this API's form: a status for programs, and a message for developers.
///
/// Everything in this target that refuses throws one; `FacadeAnswer` writes it. Names and HTTP statuses must stay, as
/// old apps decide by them; a message may be changed. A new code of `SharingError` needs a status in `codes`, or it
/// becomes an internal error (`StatusTests`).
///
/// `test_places_facade.py` and `SignatureTests` compare names and statuses.
struct FacadeRefusal: Error, Hashable {
    /// The kind of error.
    var status: FacadeStatus

    /// A description of the error, for a developer.
    var message: String

    /// The time to wait before trying again, or `nil` if trying again can't help.
    var retryAfter: Duration?

    init(_ status: FacadeStatus, _ message: String, retryAfter: Duration? = nil) {
        self.status = status
        self.message = message
        self.retryAfter = retryAfter
    }

    /// Translates an error of the server.
    init(_ error: SharingError) {
        self.init(FacadeStatus(error.code), error.message, retryAfter: error.retryAfter)
    }
}

/// The name in an answer's `status`, and the HTTP status.
///
/// Documentation/places-facade.md lists them all. The names for signatures, entities and objects are those
/// that existing clients know.
struct FacadeStatus: Hashable, Sendable {
    let name: String
    let code: HTTPResponse.Status

    private init(_ name: String, _ code: HTTPResponse.Status = .badRequest) {
        self.name = name
        self.code = code
    }

    // Signatures.
    static let missingApiKey = FacadeStatus("MissingApiKey")
    static let missingNonce = FacadeStatus("MissingNonce")
    static let invalidNonce = FacadeStatus("InvalidNonce")
    static let usedNonce = FacadeStatus("UsedNonce")
    static let missingSignature = FacadeStatus("MissingSignature")
    static let missingTime = FacadeStatus("MissingTime")
    static let invalidTime = FacadeStatus("InvalidTime")
    static let expiredTime = FacadeStatus("ExpiredTime")
    static let invalidApiKey = FacadeStatus("InvalidApiKey")
    static let invalidSignature = FacadeStatus("InvalidSignature")
    static let notAllowed = FacadeStatus("NotAllowed", .forbidden)

    // Requests.
    static let invalidRequest = FacadeStatus("InvalidRequest")
    static let methodNotAllowed = FacadeStatus("MethodNotAllowed", .methodNotAllowed)
    static let unknownParameter = FacadeStatus("UnknownParameter")
    static let repeatedParameter = FacadeStatus("RepeatedParameter")
    static let missingParameter = FacadeStatus("MissingParameter")
    static let invalidParameter = FacadeStatus("InvalidParameter")
    static let invalidQuery = FacadeStatus("InvalidQuery")
    static let unsupportedQuery = FacadeStatus("UnsupportedQuery")
    static let unsupportedCommand = FacadeStatus("UnsupportedCommand")

    // Entities and objects.
    static let entityNotFound = FacadeStatus("EntityNotFound", .notFound)
    static let objectNotFound = FacadeStatus("ObjectNotFound", .notFound)
    static let fieldNotFound = FacadeStatus("FieldNotFound")
    static let invalidField = FacadeStatus("InvalidField")
    static let missingField = FacadeStatus("MissingField")
    static let referenceNotFound = FacadeStatus("ReferenceNotFound")
    static let objectInUse = FacadeStatus("ObjectInUse", .conflict)

    // Limits, and the server's state.
    static let tooLarge = FacadeStatus("TooLarge", .contentTooLarge)
    static let tooMany = FacadeStatus("TooMany")
    static let tooManyRequests = FacadeStatus("TooManyRequests", .tooManyRequests)
    static let unavailable = FacadeStatus("Unavailable", .serviceUnavailable)
    static let internalError = FacadeStatus("InternalError", .internalServerError)

    /// All of them, in the order above.
    static let all = [
        missingApiKey, missingNonce, invalidNonce, usedNonce, missingSignature, missingTime, invalidTime,
        expiredTime, invalidApiKey, invalidSignature, notAllowed, invalidRequest, methodNotAllowed,
        unknownParameter, repeatedParameter, missingParameter, invalidParameter, invalidQuery,
        unsupportedQuery, unsupportedCommand, entityNotFound, objectNotFound, fieldNotFound, invalidField,
        missingField, referenceNotFound, objectInUse, tooLarge, tooMany, tooManyRequests, unavailable,
        internalError,
    ]

    init(_ code: SharingError.Code) {
        self = Self.codes[code] ?? .internalError
    }

    private static let codes: [SharingError.Code: FacadeStatus] = [
        .notAllowed: .notAllowed,
        .invalidCredentials: .invalidApiKey,
        .invalidFrame: .invalidRequest,
        .unknownEntity: .entityNotFound,
        .unknownObject: .objectNotFound,
        .unknownField: .fieldNotFound,
        .invalidField: .invalidField,
        .invalidJSON: .invalidField,
        .missingField: .missingField,
        .unknownReference: .referenceNotFound,
        .objectInUse: .objectInUse,
        .tooLarge: .tooLarge,
        .tooMany: .tooMany,
        .tooManyRequests: .tooManyRequests,
        .unavailable: .unavailable,
    ]
}

/// Runs `body` and translates its errors.
func translated<Value>(_ body: () throws(SharingError) -> Value) throws(FacadeRefusal) -> Value {
    do throws(SharingError) { return try body() } catch { throw FacadeRefusal(error) }
}

/// Runs `body` and translates its errors.
func translated<Value>(_ body: () async throws(SharingError) -> Value) async throws(FacadeRefusal) -> Value {
    do throws(SharingError) { return try await body() } catch { throw FacadeRefusal(error) }
}
