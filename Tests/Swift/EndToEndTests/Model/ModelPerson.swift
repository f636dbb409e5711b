import Synchronization
import YonderLink
import YonderModel

@testable import YonderClient

/// A person of the model: a client whose connections break and whose subscriptions are refused, and the lists that it has open.
final class ModelPerson: Sendable {
    let user: User
    let client: SharingClient
    let faults = ModelFaults()
    private let current = CurrentLink()
    private let opened = Mutex<[ModelView]>([])
    private let ends = Mutex<[String]>([])

    init(_ user: User, of server: ModelServer) {
        self.user = user
        var settings = ClientSettings()
        settings.backoff = Backoff(minimum: .zero, maximum: .zero)
        settings.readerCapacity = 16
        let (faults, current) = (faults, current)
        client = SharingClient(settings: settings, clock: HastyClock()) { () async throws(LinkClosure) in
            let link = try await server.connect(user, faults)
            current.link.withLock { $0 = link }
            return link.client
        }
    }

    private final class CurrentLink: Sendable {
        let link = Mutex<ModelLink?>(nil)
    }

    /// The newest connection.
    var link: ModelLink? { current.link.withLock(\.self) }

    /// The open lists.
    var views: [ModelView] { opened.withLock(\.self) }

    /// Opens the general lists, and those of the chats.
    func open(_ chats: [ChatID]) async {
        let views = await ModelView.all(of: client, in: chats)
        opened.withLock { $0 += views }
    }

    /// Opens the lists of a chat.
    func open(_ chat: ChatID) async {
        let views = await ModelView.inside(chat, of: client)
        opened.withLock { $0 += views }
    }

    /// Lets lists go.
    func close(where isClosed: @Sendable (ModelView) -> Bool) async {
        let closed = opened.withLock { opened in
            let closed = opened.filter(isClosed)
            opened.removeAll(where: isClosed)
            return closed
        }
        ends.withLock { $0 += closed.compactMap(\.unexpectedEnd) }
        for view in closed { await view.close() }
    }

    /// The lists that ended with a code that isn't final.
    var unexpectedEnds: [String] { ends.withLock(\.self) + views.compactMap(\.unexpectedEnd) }
}

extension ModelView {
    fileprivate var unexpectedEnd: String? {
        error.flatMap { $0.endsSubscription ? nil : "\(name) ended with \($0.code)" }
    }
}
