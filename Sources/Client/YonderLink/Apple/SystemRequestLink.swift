#if canImport(Network)
import Foundation
import Synchronization
#if canImport(FoundationNetworking)
// Only where Apple's modules are stood in for.
import FoundationNetworking
#endif

/// Sends requests over `URLSession`, which follows no redirect here, and keeps neither cookies nor answers.
///
/// On Apple's systems `Links` has one for all requests to a server; on Linux it is a `NetworkRequestLink`. `RESTClient` and
/// `EngineConversation`'s shell call it, from any task, side by side. What isn't an answer throws `lost`, also an answer over
/// the request's limit, and a canceled task. That nothing is followed, kept or cached must stay: a session's cookie belongs
/// to its server alone (`RequestLinkTests` says what both do, `make test-apple` runs this one). The timeouts may change.
final class SystemRequestLink: RequestLink {
    private let address: ServerAddress
    private let session: URLSession
    private let answers = Answers()

    init(_ address: ServerAddress) {
        self.address = address
        let settings = URLSessionConfiguration.ephemeral
        settings.httpCookieStorage = nil
        settings.httpShouldSetCookies = false
        settings.httpCookieAcceptPolicy = .never
        settings.urlCache = nil
        settings.requestCachePolicy = .reloadIgnoringLocalCacheData
        settings.timeoutIntervalForRequest = 40
        settings.timeoutIntervalForResource = 300
        session = URLSession(configuration: settings, delegate: answers, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    func answer(to request: LinkRequest) async throws(LinkClosure) -> LinkAnswer {
        guard let url = URL(string: address.url + request.path) else {
            throw .lost("The request's address can't be a URL.")
        }
        var sent = URLRequest(url: url)
        sent.httpMethod = request.method.rawValue
        sent.setValue("yonder-client", forHTTPHeaderField: "User-Agent")
        for header in request.headers { sent.setValue(header.value, forHTTPHeaderField: header.name) }
        if !request.body.isEmpty { sent.httpBody = Data(request.body) }
        let task = session.dataTask(with: sent)
        let result: Result<LinkAnswer, LinkClosure> = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                answers.wait(for: task, AnswerParts(limit: request.limit), waiter)
                if Task.isCancelled { task.cancel() }
                task.resume()
            }
        } onCancel: {
            answers.cancel(task)
        }
        return try result.get()
    }
}

/// The answers that are under way, by their tasks.
private final class Answers: NSObject, URLSessionDataDelegate {
    typealias Waiter = CheckedContinuation<Result<LinkAnswer, LinkClosure>, Never>

    private let open = Mutex<[Int: (parts: AnswerParts, waiter: Waiter)]>([:])

    func wait(for task: URLSessionTask, _ parts: AnswerParts, _ waiter: Waiter) {
        open.withLock { $0[task.taskIdentifier] = (parts, waiter) }
    }

    /// Cancels a task whose end resumes a waiter; one that nobody waits for yet is canceled by the caller that registers the waiter.
    func cancel(_ task: URLSessionTask) {
        if open.withLock({ $0[task.taskIdentifier] != nil }) { task.cancel() }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse, let url = response.url else {
            return completionHandler(.cancel)
        }
        let fields = response.allHeaderFields.compactMap { name, value in
            (name as? String).map { ($0, "\(value)") }
        }
        let cookies = HTTPCookie.cookies(withResponseHeaderFields: Dictionary(fields) { $1 }, for: url)
        let read = cookies.map { cookie in
            AnswerParts.Cookie(
                name: cookie.name,
                value: cookie.value,
                isOver: cookie.expiresDate.map { $0 <= .now } ?? false
            )
        }
        open.withLock {
            $0[dataTask.taskIdentifier]?.parts
                .take(status: response.statusCode, headers: fields.map { LinkHeader($0, $1) }, cookies: read)
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let hasRoom = open.withLock { $0[dataTask.taskIdentifier]?.parts.take(data) ?? false }
        if !hasRoom { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let ended = open.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        // Its description has the address, and with it the key of a session.
        let failure = error.map { $0 as NSError }.map { "\($0.domain) \($0.code)" }
        ended.waiter.resume(returning: ended.parts.end(failure))
    }
}
#endif
