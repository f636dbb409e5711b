import YonderLink
import YonderWire

/// What a conversation with a server is about: the protocol, the ways, and the place.
///
/// `SocketIOSettings` makes and checks one when a client is created; both conversations read it. Nothing is checked here
/// (`EngineConversationTests`, `SocketConversationTests`).
struct ConversationSettings: Hashable, Sendable {
    var version = EngineVersion.four
    var transports = SocketIOSettings.Transports.pollingThenWebSocket

    /// The path of the server's Socket.IO, with a slash at its end.
    var path = "/socket.io/"

    var namespace = SocketPacket.mainNamespace

    /// The JSON that a client of generation 4 enters with; empty for none.
    var auth: [UInt8] = []

    /// The headers of every request.
    var headers: [LinkHeader] = []
}

/// How a conversation ended.
enum Ending: Hashable, Sendable {
    /// The client left.
    case left
    case closed(LinkClosure)
}
