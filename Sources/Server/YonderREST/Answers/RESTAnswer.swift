package import HTTPTypes
package import Hummingbird
import NIOCore
package import YonderJSON
package import YonderModel

/// The answer of an endpoint.
///
/// Every endpoint returns one, and `RESTRoutes` turns it into a response; a thrown `SharingError` becomes
/// ``refusal(_:)``. Nothing fails. The members of an error, the status by `RefusalStatus` and `Retry-After` in whole
/// seconds, rounded up, must stay (`Documentation/errors.md`, `test_openapi.py`). An answer may be kept by nobody unless
/// the endpoint says otherwise, by its headers.
package struct RESTAnswer: Sendable {
    package var status: HTTPResponse.Status
    package var headers: HTTPFields
    package var body: ResponseBody

    /// A successful answer without a body.
    package static var noContent: RESTAnswer { RESTAnswer(status: .noContent) }

    /// An answer with the JSON that `write` writes.
    package static func json(_ status: HTTPResponse.Status = .ok, _ write: (inout JSONWriter) -> Void)
        -> RESTAnswer
    {
        var writer = JSONWriter()
        write(&writer)
        return json(writer, status)
    }

    /// An answer with JSON that is already written.
    package static func json(_ writer: JSONWriter, _ status: HTTPResponse.Status = .ok) -> RESTAnswer {
        let body = ResponseBody(byteBuffer: ByteBuffer(bytes: writer.bytes))
        return RESTAnswer(status: status, headers: jsonHeaders, body: body)
    }

    /// An answer with JSON that is written in pieces.
    package static func json(streamed body: ResponseBody) -> RESTAnswer {
        RESTAnswer(status: .ok, headers: jsonHeaders, body: body)
    }

    /// An answer with plain text.
    package static func text(_ text: String, type: String = "text/plain; charset=utf-8") -> RESTAnswer {
        RESTAnswer(
            status: .ok,
            headers: [.contentType: type, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    /// An answer with an error: `{"error":{…}}` and its status.
    package static func refusal(_ error: SharingError) -> RESTAnswer {
        var answer = json(error.status) { $0.refusal(error) }
        if let wait = error.retryAfter {
            answer.headers[.retryAfter] = String(Int64((wait / .seconds(1)).rounded(.up)))
        }
        if error.status == .unauthorized { answer.headers[.wwwAuthenticate] = "Bearer" }
        return answer
    }

    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: ResponseBody = ResponseBody())
    {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The answer with a header field that sets or removes a cookie.
    package func cookie(_ field: String) -> RESTAnswer {
        var answer = self
        answer.headers.append(HTTPField(name: .setCookie, value: field))
        return answer
    }

    package var response: Response {
        Response(status: status, headers: headers, body: body)
    }

    private static let jsonHeaders: HTTPFields = [
        .contentType: "application/json", .cacheControl: "no-store",
    ]
}

extension RESTRoutes {
    /// Answers a request.
    package typealias Endpoint = @Sendable (RESTCall) async throws(SharingError) -> RESTAnswer
}

extension JSONWriter {
    /// Writes `{"error":{…}}`.
    package mutating func refusal(_ error: SharingError) {
        raw("{\"error\":{\"code\":")
        string(error.code.rawValue)
        raw(",\"message\":")
        string(error.message)
        if let wait = error.retryAfter {
            raw(",\"retryAfter\":")
            integer(Int64((wait / .milliseconds(1)).rounded(.up)))
        }
        raw("}}")
    }
}
