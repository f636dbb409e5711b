/// An answer that comes in parts, up to a limit: a value without the network.
///
/// `SystemRequestLink` has one for each request under way and passes it what `URLSession` reports. It can't fail. The limit
/// is the request's, and must be checked before a part is kept. That cookies come one by one must stay: `SetCookie` reads
/// single fields (`StreamEventsTests`).
struct AnswerParts: Sendable {
    private let limit: Int
    private var answer: LinkAnswer?
    private var isTooLong = false

    /// Begins to wait for an answer whose body may have so many bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// A cookie as the system has read it: it joins the fields of several cookies into one.
    struct Cookie: Hashable, Sendable {
        let name: String
        let value: String

        /// Whether its time is over, so that it is removed.
        let isOver: Bool
    }

    /// Takes the status and the headers.
    mutating func take(status: Int, headers: [LinkHeader], cookies: [Cookie]) {
        let others = headers.filter { !$0.isNamed("Set-Cookie") }
        let set = cookies.map {
            LinkHeader("Set-Cookie", "\($0.name)=\($0.value)\($0.isOver ? "; Max-Age=0" : "")")
        }
        answer = LinkAnswer(status: status, headers: others + set)
    }

    /// Takes a part of the body.
    ///
    /// - Returns: Whether there is room for it; else the request has to be given up.
    mutating func take(_ part: some Collection<UInt8>) -> Bool {
        guard let count = answer?.body.count else { return false }
        isTooLong = part.count > limit - count
        if !isTooLong { answer?.body.append(contentsOf: part) }
        return !isTooLong
    }

    /// The answer once nothing more comes.
    ///
    /// - Parameter failure: Why it ended early, or `nil`.
    /// - Returns: The answer; or `lost`, also if there was none.
    func end(_ failure: String?) -> Result<LinkAnswer, LinkClosure> {
        if isTooLong { return .failure(.lost("The answer is longer than \(limit) bytes.")) }
        if let failure { return .failure(.lost(failure)) }
        return answer.map { .success($0) } ?? .failure(.lost("There was no answer."))
    }
}
