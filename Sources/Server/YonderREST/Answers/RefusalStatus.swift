package import HTTPTypes
package import YonderModel

// The HTTP status of each code of an error. `RESTAnswer` and `RefusalMiddleware` ask for it; a code that isn't here is
// 400. The statuses are promised in `Documentation/errors.md` and `openapi.yaml` (`test_openapi.py`): clients decide by
// the code, proxies and libraries by the status. A new code needs a line here unless it is 400.

// Statuses of released codes must stay.
extension SharingError {
    /// The HTTP status for this error, as listed in Documentation/errors.md.
    package var status: HTTPResponse.Status {
        Self.statuses[code] ?? .badRequest
    }

    private static let statuses: [Code: HTTPResponse.Status] = [
        .invalidFrame: .badRequest,
        .invalidJSON: .badRequest,
        .unknownField: .badRequest,
        .missingField: .badRequest,
        .invalidField: .badRequest,
        .tooLarge: .contentTooLarge,
        .invalidFile: .badRequest,
        .invalidRow: .badRequest,
        .unknownQuery: .badRequest,
        .duplicateSubscription: .conflict,
        .notSignedIn: .unauthorized,
        .invalidCredentials: .unauthorized,
        .passwordNotChecked: .forbidden,
        .forbiddenOrigin: .forbidden,
        .unknownHost: .misdirectedRequest,
        .unknownChat: .notFound,
        .unknownUser: .notFound,
        .unknownMessage: .notFound,
        .unknownShare: .notFound,
        .shareEnded: .conflict,
        .notShared: .conflict,
        .notParticipant: .forbidden,
        .notAllowed: .forbidden,
        .closedChat: .forbidden,
        .notFound: .notFound,
        .methodNotAllowed: .methodNotAllowed,
        .noInvitee: .badRequest,
        .unknownInvitee: .badRequest,
        .oneToOne: .badRequest,
        .alreadyParticipant: .conflict,
        .chatExists: .conflict,
        .messageTooLarge: .contentTooLarge,
        .reservedTag: .badRequest,
        .keyReused: .conflict,
        .tooMany: .conflict,
        .invitationUsed: .gone,
        .nameTaken: .conflict,
        .lastOperator: .conflict,
        .accountDisabled: .forbidden,
        .unknownEntity: .notFound,
        .unknownObject: .notFound,
        .entityExists: .conflict,
        .entityInUse: .conflict,
        .objectChanged: .conflict,
        .objectInUse: .conflict,
        .unknownReference: .badRequest,
        .tooManyRequests: .tooManyRequests,
        .slowReader: .serviceUnavailable,
        .worldClosed: .forbidden,
        .unavailable: .serviceUnavailable,
        .geocoderUnavailable: .serviceUnavailable,
        .internalError: .internalServerError,
        .unsupportedVersion: .upgradeRequired,
    ]
}
