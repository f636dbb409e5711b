/// Why there is no position.
///
/// Programs decide by ``code``; ``message`` is for a developer's log, and ``underlying`` is what the system, the
/// daemon or the device said, passed on as it was.
public struct LocationError: Error, Sendable {
    /// What kind of failure it is, and the only part a program decides by.
    public var code: Code

    /// What happened, for a person or a developer's log.
    public var message: String

    /// What caused it, if something below did: a `CLError`, an I/O error, a daemon's complaint.
    public var underlying: (any Error)?

    /// Creates a failure.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// The kinds of failure.
    ///
    /// Open-ended: a program that decides by it has a default.
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
    /// No position is to be had now; one may come later.
    public static let positionUnavailable = Self("positionUnavailable")

    /// A request's own time was over before a position came.
    public static let timedOut = Self("timedOut")

    /// This program may not know where the device is.
    public static let notAuthorized = Self("notAuthorized")

    /// Location services are off for the whole device.
    public static let servicesDisabled = Self("servicesDisabled")

    /// The task that asked was canceled.
    public static let canceled = Self("canceled")

    /// The receiver is gone, or the daemon doesn't answer; the source looks for it again by itself.
    public static let sourceLost = Self("sourceLost")

    /// What the source reads can't be understood at all: no track, no daemon's greeting.
    public static let sourceUnreadable = Self("sourceUnreadable")

    /// The source has ended and gives nothing more: a track that isn't looped, a file of sentences.
    public static let sourceEnded = Self("sourceEnded")
}
