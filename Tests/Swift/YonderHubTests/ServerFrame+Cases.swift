import Foundation
import YonderGeodesy
import YonderModel
import YonderWire

/// A frame of a type that the stream doesn't have.
struct UnknownFrame: Error {
    let text: String
}

extension ServerFrame {
    /// Parses a frame's text.
    init(text: String) throws {
        let frame = try Array(text.utf8).withUnsafeBytes { bytes in try ServerFrame.parse(bytes) }
        guard let frame else { throw UnknownFrame(text: text) }
        self = frame
    }
}

/// The values of each kind of frame; `nil` in a frame of another kind.
extension ServerFrame {
    var messages: MessagesFrame? { if case .messages(let page) = self { page } else { nil } }
    var message: Message? { if case .message(_, let message) = self { message } else { nil } }
    var chats: [NamedChat]? { if case .chats(_, _, _, _, let chats) = self { chats } else { nil } }
    var chat: NamedChat? { if case .chat(_, let chat) = self { chat } else { nil } }
    var chatLeft: ChatID? { if case .chatLeft(_, let chat) = self { chat } else { nil } }
    var activity: ChatActivity? { if case .activity(_, let activity) = self { activity } else { nil } }
    var contacts: [User]? { if case .contacts(_, _, _, let users) = self { users } else { nil } }
    var contact: User? { if case .contact(_, let user) = self { user } else { nil } }
    var contactGone: UserID? { if case .contactGone(_, let user) = self { user } else { nil } }
    var presence: [UserID]? { if case .presence(_, _, _, let users) = self { users } else { nil } }
    var isOnline: Bool? { if case .online(_, _, let isOnline) = self { isOnline } else { nil } }
    var region: RegionFrame? { if case .region(let frame) = self { frame } else { nil } }
    var world: [WorldPin]? { if case .world(_, _, _, _, let pins) = self { pins } else { nil } }
    var you: String? { if case .world(_, _, _, let you, _) = self { you } else { nil } }
    var pin: WorldPin? { if case .pin(_, let pin) = self { pin } else { nil } }
    var gone: String? { if case .gone(_, let pin) = self { pin } else { nil } }
    var unsubscribed: Int64? { if case .unsubscribed(let id) = self { id } else { nil } }
    var started: NamedChat? { if case .started(_, _, let chat) = self { chat } else { nil } }
    var shared: ShownShare? { if case .shared(_, let share, _, _) = self { share } else { nil } }
    var stopped: [ShareID]? { if case .stopped(_, let shares) = self { shares } else { nil } }
    var refusal: FrameRefusal? { if case .error(let refusal) = self { refusal } else { nil } }
    var pong: Timestamp? { if case .pong(let time) = self { time } else { nil } }

    var ended: (id: Int64, error: SharingError)? {
        if case .ended(let id, _, let error) = self { (id, error) } else { nil }
    }

    var sent: (key: String, number: Int64?)? {
        if case .sent(let key, _, let number, _) = self { (key, number) } else { nil }
    }

    var asked: (chat: ChatID, user: UserID)? {
        if case .asked(let chat, let user) = self { (chat, user) } else { nil }
    }

    /// The shares of an answer to `freshness`, or of a change after it.
    var freshness: [ShownShare]? {
        switch self {
        case .shares(.freshness, _, _, _, let shares): shares
        case .sharesChanged(.freshness, _, let changes): changes.compactMap(\.shown)
        default: nil
        }
    }
}

/// What several kinds of frames have.
extension ServerFrame {
    /// Whether the frame is the last page of an answer.
    var isCurrent: Bool {
        switch self {
        case .messages(let page): page.isCurrent
        case .chats(_, _, let isCurrent, _, _), .contacts(_, _, let isCurrent, _),
            .presence(_, _, let isCurrent, _), .world(_, _, let isCurrent, _, _),
            .shares(_, _, _, let isCurrent, _):
            isCurrent
        case .region(let frame): frame.answer?.isCurrent ?? false
        default: false
        }
    }

    /// The key of the request that the frame answers.
    var key: String? {
        switch self {
        case .sent(let key, _, _, _), .started(let key, _, _), .shared(let key, _, _, _),
            .stopped(let key, _):
            key
        case .error(let refusal): refusal.key
        default: nil
        }
    }

    /// The messages in the frame: an answer's page, or a single one.
    var allMessages: [Message] {
        switch self {
        case .messages(let page): page.messages
        case .message(_, let message): [message]
        default: []
        }
    }

    /// The preview that a list of chats shows from now on.
    var preview: MessagePreview? {
        switch self {
        case .activity(_, let activity): activity.preview ?? nil
        case .chat(_, let chat): chat.view?.preview
        default: nil
        }
    }

    /// The caller's read position from now on.
    var read: ReadPosition? {
        switch self {
        case .activity(_, let activity): activity.read
        case .chat(_, let chat): chat.view?.read
        default: nil
        }
    }
}

/// The `data` of a `Share` message.
struct ShareNote: Decodable {
    let share: String
    let state: String
    let arrived: Bool?
}

extension Message {
    /// The message's `data`, read as that of a `Share` message; `nil` for another tag.
    var shareNote: ShareNote? {
        get throws {
            guard tag == .share, let data else { return nil }
            return try JSONDecoder().decode(ShareNote.self, from: Data(data.bytes))
        }
    }
}
