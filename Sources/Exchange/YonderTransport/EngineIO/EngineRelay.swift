/// Forwards requests to the server of a cluster on which their session began.
///
/// `nil`, when no other server answers in time, is the answer of an unknown session. A canceled task has its poll given up on the
/// other server, too.
package protocol EngineRelay: Sendable {
    /// The beginning of the keys of this server's sessions.
    var keyPrefix: String { get }

    /// Forwards a request to another server, and returns the response.
    ///
    /// - Parameters:
    ///   - request: The request, whose body has been read already.
    ///   - body: The body.
    ///   - session: The session's key.
    ///   - timeout: How long to wait for the response.
    /// - Returns: The response; `nil` if the key names no other server, or if the server doesn't answer in time.
    func respond(
        to request: EngineServer.PollRequest,
        body: [UInt8],
        of session: String,
        within timeout: Duration
    ) async -> EngineServer.PollResponse?
}
