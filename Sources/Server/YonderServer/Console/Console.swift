package import HTTPTypes
import Hummingbird
import Logging
import NIOCore
package import YonderModel
import YonderREST

/// The responder to the command line: a running server, or the program itself.
///
/// `ConsoleOptions` chooses: `SocketConsole` while a server runs, else `LocalConsole` over the opened folder; commands
/// of `yonder user` and `yonder key` send requests of REST to either. An error of the server is thrown as it is. Both
/// must answer alike, as they run the same endpoints (`ConsoleTests`).
///
/// Paths are those of REST; a further implementation must pass errors on with their codes.
package protocol Console: Sendable {
    /// Sends a request, with or without a JSON object as its body.
    ///
    /// - Returns: The body of the answer.
    /// - Throws: The error in the answer; `unavailable` if there is no answer.
    func send(_ method: HTTPRequest.Method, _ path: String, _ json: [UInt8]?) async throws(SharingError)
        -> [UInt8]
}

/// Answers within the program itself, while no server has the data folder open.
package struct LocalConsole: Console {
    private let assembly: ConsoleAssembly

    package init(_ assembly: ConsoleAssembly) {
        self.assembly = assembly
    }

    package func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ json: [UInt8]?
    ) async throws(SharingError) -> [UInt8] {
        var fields: HTTPFields = [:]
        if json != nil { fields[.contentType] = RESTCall.jsonType }
        let head = HTTPRequest(
            method: method,
            scheme: "http",
            authority: "localhost",
            path: path,
            headerFields: fields
        )
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: json ?? [])))
        let context = RESTContext(logger: Logger(label: "yonder") { _ in SwiftLogNoOpLogHandler() })
        do {
            let response = try await assembly.responder.respond(to: request, context: context)
            let collector = BodyCollector()
            try await response.body.write(collector)
            return try ConsoleAnswer.body(response.status, collector.bytes)
        } catch let error as SharingError {
            throw error
        } catch {
            throw SharingError(.internalError, "\(error)")
        }
    }
}

/// Collects the body of an answer.
private final class BodyCollector: ResponseBodyWriter {
    private(set) var bytes: [UInt8] = []

    func write(_ buffer: ByteBuffer) async throws {
        bytes += buffer.readableBytesView
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// Decodes answers of the console.
enum ConsoleAnswer {
    /// Returns the body of a successful answer.
    ///
    /// - Throws: The error in any other answer.
    static func body(_ status: HTTPResponse.Status, _ bytes: [UInt8]) throws(SharingError) -> [UInt8] {
        guard status.kind != .successful else { return bytes }
        var refusal = SharingError(.internalError, "The server answered with status \(status.code).")
        guard let body = try? JSONBody(bytes, allowed: ["error"]), let error = try? body.object("error"),
            let fields = try? JSONBody(error.bytes, allowed: ["code", "message", "retryAfter"]),
            let code = try? fields.string("code"), let message = try? fields.string("message")
        else { throw refusal }
        refusal = SharingError(SharingError.Code(code), message)
        throw refusal
    }
}
