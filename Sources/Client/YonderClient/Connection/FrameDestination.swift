import YonderModel
import YonderWire

/// The part of a client for which a frame of the server is meant.
///
/// `SharingClient` asks it of each frame that it receives, and calls the value it names. It can't fail. A further frame of
/// the server needs its case here, or the compiler complains; one of an unknown type was passed over before
/// (`SharingClientTests`).
enum FrameDestination: Hashable, Sendable {
    /// The connection: the server's greeting.
    case connection(Hello)
    /// A subscription, as part of the answer to its query.
    case subscription(Int64, topic: Int64)
    /// The subscription that has this topic, as a change.
    case topic(Int64)
    /// A subscription that the server ended.
    case ended(Int64, SharingError)
    /// A subscription that the client ended, as the answer.
    case unsubscribed(Int64)
    /// A request, as its answer.
    case request(OutgoingKey, Reply)
    /// A request or a subscription that the server refused.
    case refused(FrameRefusal)
    /// The app: a participant's question.
    case question(SharingClient.Question)
}

extension ServerFrame {
    /// The part of a client for which this frame is meant; `nil` for a frame that changes nothing.
    var destination: FrameDestination? {
        switch self {
        case .hello(let hello): .connection(hello)
        case .messages(let page): .subscription(page.id, topic: page.topic)
        case .chats(let id, let topic, _, _, _): .subscription(id, topic: topic)
        case .contacts(let id, let topic, _, _): .subscription(id, topic: topic)
        case .presence(let id, let topic, _, _): .subscription(id, topic: topic)
        case .world(let id, let topic, _, _, _): .subscription(id, topic: topic)
        case .shares(_, let id, let topic, _, _): .subscription(id, topic: topic)
        case .region(let region): region.destination
        case .message(let topic, _), .chat(let topic, _), .activity(let topic, _), .chatLeft(let topic, _),
            .contact(let topic, _), .contactGone(let topic, _), .online(let topic, _, _), .pin(let topic, _),
            .gone(let topic, _), .sharesChanged(_, let topic, _):
            .topic(topic)
        case .ended(let id, _, let error): .ended(id, error)
        case .sent(let key, let chat, let number, let time):
            .request(OutgoingKey(key: key, chat: chat), .sent(number: number, time: time))
        case .started(let key, let existed, let chat):
            .request(OutgoingKey(key: key, chat: nil), .started(chat, existed: existed))
        case .shared(let key, let share, _, _):
            .request(OutgoingKey(key: key, chat: share.share.chat), .shared(share))
        case .stopped(let key, let shares): .request(OutgoingKey(key: key, chat: nil), .stopped(shares))
        case .error(let refusal): .refused(refusal)
        case .asked(let chat, let asker): .question(SharingClient.Question(chat: chat, asker: asker))
        case .unsubscribed(let id): .unsubscribed(id)
        case .pong: nil
        }
    }
}

extension RegionFrame {
    fileprivate var destination: FrameDestination {
        answer.map { .subscription($0.id, topic: topic) } ?? .topic(topic)
    }
}
