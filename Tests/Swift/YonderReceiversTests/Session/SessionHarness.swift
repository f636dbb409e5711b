import YonderGeodesy
import YonderLocation

@testable import YonderReceivers

/// A session whose actions are words, so that a test is lines of calls.
struct SessionHarness<Conversation: ReceiverConversation> {
    var session: ReceiverSession<Conversation>
    var now = Timestamp(milliseconds: 1_800_000_000_000)

    init(_ conversation: Conversation) {
        let timing = ReceiverTiming(
            silence: .seconds(10),
            firstRetry: .milliseconds(500),
            lastRetry: .seconds(4)
        )
        session = ReceiverSession(conversation, timing: timing)
    }

    mutating func start() -> [String] { words(session.start()) }

    mutating func stop() -> [String] { words(session.stop()) }

    mutating func abandon() -> [String] { words(session.abandon()) }

    mutating func ask() -> [String] { words(session.requestAuthorization()) }

    mutating func opened() -> [String] { words(session.opened(at: now)) }

    mutating func waited() -> [String] { words(session.waited()) }

    mutating func hear(_ lines: String...) -> [String] {
        words(session.received(Array(lines.map { $0 + "\r\n" }.joined().utf8).span, at: now))
    }

    mutating func closed(_ kind: ConnectionFailure.Kind = .lost) -> [String] {
        let code: LocationError.Code =
            switch kind {
            case .lost: .sourceLost
            case .refused: .notAuthorized
            case .ended: .sourceEnded
            }
        return words(session.closed(ConnectionFailure(kind: kind, error: LocationError(code, "")), at: now))
    }

    private func words(_ actions: [ReceiverSession<Conversation>.Action]) -> [String] {
        actions.flatMap(words)
    }

    private func words(_ action: ReceiverSession<Conversation>.Action) -> [String] {
        switch action {
        case .open: ["open"]
        case .send(let text): ["send " + text.filter { !$0.isNewline }]
        case .close: ["close"]
        case .wait(let duration): ["wait \(duration)"]
        case .retry(let longest): ["retry \(longest)"]
        case .cancelWait: []
        case .report(let event):
            Told.all(event).map { told in
                switch told {
                case .authorization(let authorization): authorization.rawValue
                case .place(let place): "at \(place.latitude),\(place.longitude)"
                case .noFix: "no fix"
                case .failure(let code): code.rawValue
                }
            }
        }
    }
}
