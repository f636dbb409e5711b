/// Passes requests on to the server on which their session began, where several servers are one.
package protocol EngineRelay: Sendable {
    /// The beginning of the keys of sessions that begin here.
    var keyPrefix: String { get }

    /// Has another server answer a request.
    ///
    /// - Parameters:
    ///   - request: The request; its body has been read.
    ///   - body: The body.
    ///   - session: The session's key.
    ///   - timeout: The time that is allowed.
    /// - Returns: The response; `nil` if the key names no other server, or the server doesn't answer.
    func respond(
        to request: EngineServer.PollRequest,
        body: [UInt8],
        of session: String,
        within timeout: Duration
    ) async -> EngineServer.PollResponse?
}
