import NIOCore
import NIOHTTP1

extension FirstRequestHandler {
    /// The handler's dependencies on its channel.
    struct Environment {
        let decoder: any RemovableChannelHandler

        /// Called with each part that the decoder delivers.
        let handedOn: (HTTPServerRequestPart) -> Void

        /// Parses what the decoder has kept back.
        let parseOn: () -> Void

        let encoder: any RemovableChannelHandler
        let policy: UpgradePolicy

        /// Returns the answer to a request that can't be parsed.
        let answer: (RequestFault) -> RequestFault.Answer

        /// Adds the handlers for HTTP after this one.
        let serveHTTP: () throws -> Void

        /// Adds the handler for the accepted WebSocket after this one.
        let serveWebSocket: (UpgradeDecision.Acceptance, _ after: FirstRequestHandler) throws -> Void

        /// Called with the outcome: `nil`, or the error.
        let settled: ((any Error)?) -> Void

        /// Notified when the client closes its end.
        let presence: ClientPresence

        /// Notified of each request, and when all are answered.
        let ticket: ConnectionTicket?

        /// Notified of each part of a request.
        let body: IncomingBody
    }
}
