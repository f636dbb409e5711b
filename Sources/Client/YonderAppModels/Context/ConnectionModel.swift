public import Observation
import YonderClient

/// Whether a client has a connection, in words.
///
/// Each screen's model has one, which runs with it.
///
/// `ChatsModel`, `ChatMapModel`, `PlacesModel` and others make one and run it with themselves; views read ``text`` on the
/// main actor. It can't fail. That a first connection isn't called *lost* must stay, since nothing was there to lose
/// (`SignInModelTests`); words are in `Word`.
@MainActor @Observable
public final class ConnectionModel {
    /// The states of a connection.
    public enum State: Hashable, Sendable {
        /// There was none yet.
        case connecting
        /// There is one.
        case connected
        /// There was one; the client connects again by itself.
        case lost
    }

    /// The state.
    public private(set) var state = State.connecting

    private let client: SharingClient
    private let context: AppContext

    init(_ client: SharingClient, _ context: AppContext) {
        (self.client, self.context) = (client, context)
    }

    /// What to show above the screen, or `nil` while there is a connection.
    public var text: String? {
        switch state {
        case .connecting: context.say(.pageConnecting)
        case .connected: nil
        case .lost: context.say(.statusConnecting)
        }
    }

    /// Follows the connection until the task is canceled.
    func run() async {
        for await isConnected in client.connections {
            switch (isConnected, state) {
            case (true, _): state = .connected
            case (false, .connected): state = .lost
            case (false, _): break
            }
        }
    }
}
