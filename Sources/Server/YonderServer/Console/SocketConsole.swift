import AsyncHTTPClient
package import HTTPTypes
import NIOCore
import NIOHTTP1
package import YonderModel
import YonderREST

/// Sends requests to the server that runs on a data folder, over its control socket.
///
/// `ConsoleOptions` makes one and asks ``isReachable()`` before it opens the folder itself. An answer that doesn't come
/// is `unavailable`; an error in an answer is thrown as the server sent it. The path of the socket is that of
/// `ControlSocket` (`ConsoleTests`). The times to wait may be changed.
package struct SocketConsole: Console {
    /// The time allowed for an answer: removing a user from many chats takes a while.
    private static let timeout = TimeAmount.seconds(60)

    private let socket: ControlSocket

    /// Creates a console; sends nothing.
    ///
    /// - Throws: `unavailable` if the folder's path is too long for a socket's address.
    package init(folder: String) throws(SharingError) {
        socket = try ControlSocket(in: folder)
    }

    /// Whether a server answers on the socket.
    package func isReachable() async -> Bool {
        (try? await send(.get, "/health", nil)) != nil
    }

    package func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ json: [UInt8]?
    ) async throws(SharingError) -> [UInt8] {
        var request = HTTPClientRequest(url: "http+unix://\(Self.host(socket.path))\(path)")
        request.method = HTTPMethod(rawValue: method.rawValue)
        request.headers.replaceOrAdd(name: "Host", value: "localhost")
        if let json {
            request.headers.add(name: "Content-Type", value: RESTCall.jsonType)
            request.body = .bytes(json)
        }
        let (status, bytes) = try await answer(to: request)
        return try ConsoleAnswer.body(HTTPResponse.Status(code: Int(status)), bytes)
    }

    /// The socket's path in the place of a host: every byte but letters and digits is escaped.
    private static func host(_ path: String) -> String {
        path.utf8.reduce(into: "") { host, byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                host.unicodeScalars.append(Unicode.Scalar(byte))
            default: host += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    private func answer(to request: HTTPClientRequest) async throws(SharingError) -> (UInt, [UInt8]) {
        var configuration = HTTPClient.Configuration()
        // A socket that a killed server left refuses at once, and for as long as it is asked.
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let outcome: Result<(UInt, [UInt8]), SharingError>
        do {
            let response = try await client.execute(request, timeout: Self.timeout)
            let body = try await response.body.collect(upTo: 64 << 20)
            outcome = .success((response.status.code, Array(body.readableBytesView)))
        } catch {
            outcome = .failure(SharingError(.unavailable, "The server doesn't answer: \(error)."))
        }
        try? await client.shutdown()
        return try outcome.get()
    }
}
