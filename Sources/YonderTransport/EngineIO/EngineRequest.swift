import YonderWire

/// The parameters in the query of a request to an Engine.IO server.
struct EngineRequest {
    enum Transport: String {
        case polling
        case webSocket = "websocket"
    }

    let version: EngineVersion?
    let transport: Transport?
    let session: String?

    /// Whether the client accepts a binary body (generation 3).
    let allowsBinary: Bool

    init(query: Substring) {
        var values: [Substring: Substring] = [:]
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if let name = parts.first, values[name] == nil { values[name] = parts.count > 1 ? parts[1] : "" }
        }
        version = values["EIO"].flatMap { Int($0) }.flatMap { EngineVersion(rawValue: $0) }
        transport = values["transport"].flatMap { Transport(rawValue: String($0)) }
        session = values["sid"].map(String.init)
        allowsBinary = (values["b64"] ?? "").isEmpty
    }
}

/// The reason why a request is refused: the codes and messages that clients know.
enum EngineRefusal: Int, Error {
    case unknownTransport = 0
    case unknownSession = 1
    case badHandshakeMethod = 2
    case badRequest = 3
    case forbidden = 4
    case unsupportedVersion = 5

    var message: String {
        switch self {
        case .unknownTransport: "Transport unknown"
        case .unknownSession: "Session ID unknown"
        case .badHandshakeMethod: "Bad handshake method"
        case .badRequest: "Bad request"
        case .forbidden: "Forbidden"
        case .unsupportedVersion: "Unsupported protocol version"
        }
    }

    var json: String { #"{"code":\#(rawValue),"message":"\#(message)"}"# }
}
