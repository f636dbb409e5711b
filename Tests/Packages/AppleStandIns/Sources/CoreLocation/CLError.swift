// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public let kCLErrorDomain = "kCLErrorDomain"
public let kCLErrorUserInfoAlternateRegionKey = "kCLErrorUserInfoAlternateRegionKey"

/// What Core Location complains about.
public struct CLError: CustomNSError, @unchecked Sendable {
    // Safe because it is a value that nothing changes, made of what a test puts into it.

    /// The kinds of complaint.
    public enum Code: Int, Sendable {
        case locationUnknown = 0
        case denied = 1
        case network = 2
        case headingFailure = 3
        case regionMonitoringDenied = 4
        case regionMonitoringFailure = 5
        case regionMonitoringSetupDelayed = 6
        case regionMonitoringResponseDelayed = 7
        case geocodeFoundNoResult = 8
        case geocodeFoundPartialResult = 9
        case geocodeCanceled = 10
        case deferredFailed = 11
        case deferredNotUpdatingLocation = 12
        case deferredAccuracyTooLow = 13
        case deferredDistanceFiltered = 14
        case deferredCanceled = 15
        case rangingUnavailable = 16
        case rangingFailure = 17
        case promptDeclined = 18
        case historicalLocationError = 19
    }

    public let code: Code
    public let userInfo: [String: Any]

    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        self.userInfo = userInfo
    }

    /// Takes over an error of Core Location's domain.
    public init(_nsError error: NSError) {
        precondition(error.domain == kCLErrorDomain, "An error of another domain.")
        self.init(Code(rawValue: error.code) ?? .locationUnknown, userInfo: error.userInfo)
    }

    public static var errorDomain: String { kCLErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { userInfo }

    public static var locationUnknown: Code { .locationUnknown }
    public static var denied: Code { .denied }
    public static var network: Code { .network }
    public static var headingFailure: Code { .headingFailure }
    public static var promptDeclined: Code { .promptDeclined }
}

extension CLError.Code {
    /// Matches an error of this code, as in `catch CLError.denied`.
    public static func ~= (code: Self, error: any Error) -> Bool {
        (error as? CLError)?.code == code
    }
}

extension CLError: Hashable {
    public static func == (one: Self, other: Self) -> Bool {
        one.code == other.code
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}
