/// The reason why there is no position.
///
/// Programs decide by ``code``; ``message`` is for a developer's log, and ``underlying`` is the original
/// error of the system, the daemon or the device.
///
/// Sources send it as an event, `SinglePositioning.position(_:)` throws it, and a watch delivers it; apps switch over the
/// code (`OwnPlace` of `YonderAppModels`). Names of codes are public and in logs, and must stay (`make check-api`,
/// `Documentation/location-apps.md`); a further code may be added, since programs need a default case. Messages may change.
/// An underlying error isn't compared or sent.
public struct LocationError: Error, Sendable {
    /// The kind of failure, and the only part a program decides by.
    public var code: Code

    /// A description of the failure, for a person or a developer's log.
    public var message: String

    /// The cause, if there is one: a `CLError`, an I/O error, a daemon's error message.
    public var underlying: (any Error)?

    /// Creates a failure.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// The kinds of failure.
    ///
    /// Open-ended: a program that switches over codes needs a default case.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name, as in logs.
        public let rawValue: String

        /// Creates a code with a name.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// The code's name, as in logs.
        public var description: String { rawValue }
    }
}

extension LocationError.Code {
    /// No position is available now; one may follow.
    public static let positionUnavailable = Self("positionUnavailable")

    /// The request's timeout passed before a position arrived.
    public static let timedOut = Self("timedOut")

    /// This program isn't permitted to read the device's location.
    public static let notAuthorized = Self("notAuthorized")

    /// Location services are off for the whole device.
    public static let servicesDisabled = Self("servicesDisabled")

    /// The task of the request was canceled.
    public static let canceled = Self("canceled")

    /// The receiver is gone, or the daemon doesn't answer; the source tries again on its own.
    public static let sourceLost = Self("sourceLost")

    /// The data is in no known format: the file isn't a track, or the server isn't the daemon.
    public static let sourceUnreadable = Self("sourceUnreadable")

    /// The source has ended and sends nothing more: a track that isn't looped, or a file of sentences.
    public static let sourceEnded = Self("sourceEnded")
}
