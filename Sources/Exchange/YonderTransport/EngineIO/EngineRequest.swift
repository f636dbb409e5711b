import YonderJSON
import YonderWire

/// The parameters in the query of a request to an Engine.IO server.
///
/// `EngineServer` reads one of each request's query, a stranger's text: a parameter that isn't valid is `nil`, and the
/// server answers with an ``EngineRefusal``. Names, codes and messages are Engine.IO's, versions 3 and 4, and must stay
/// (`test_engine_io.py`).
struct EngineRequest {
    enum Transport: String, CaseIterable {
        case polling
        case webSocket = "websocket"
    }

    let version: EngineVersion?
    let transport: Transport?
    let session: String?

    /// Whether the client accepts a binary body (generation 3).
    let allowsBinary: Bool

    init(query: Substring) {
        let parameters = query.utf8.split(separator: UInt8(ascii: "&"))
        func value(_ name: StaticString) -> Substring.UTF8View? {
            for parameter in parameters {
                let end = parameter.firstIndex(of: UInt8(ascii: "=")) ?? parameter.endIndex
                if parameter[..<end].is(name) { return parameter[end...].dropFirst() }
            }
            return nil
        }
        version = value("EIO").flatMap { $0.is("4") ? .four : $0.is("3") ? .three : nil }
        transport = value("transport").flatMap { $0.choice(of: Transport.self) }
        session = value("sid").map { $0.name() ?? Self.unknownSession }
        allowsBinary = value("b64")?.isEmpty ?? true
    }

    /// A session's key that no server gives, in place of one that can't be any.
    private static let unknownSession = "-"
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
