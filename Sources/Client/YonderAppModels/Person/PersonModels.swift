import YonderClient
public import YonderLocation
public import YonderModel
public import YonderPocket
import YonderRequests
import YonderSocketIOClient

/// The models of all screens that an app shows after the sign-in, for one account.
///
/// An app makes them when ``SignInModel/stage`` says that a person is signed in, and runs them while that person is.
///
/// `AppModel` makes them when a person has signed in, and drops them at the sign-out; views take a screen's model from here,
/// on the main actor. Nothing throws: each model has its own sentence to show. A chat's models are new at each call of
/// ``chat(_:)``, so a view keeps them. That ``sharing`` and ``chats`` run while any screen is shown must stay: shares end and
/// badges count then, too (`SharingModelTests`, the example's screens).
///
/// A further screen gets its model here.
@MainActor
public final class PersonModels {
    /// The chats.
    public let chats: ChatsModel

    /// The contacts.
    public let contacts: ContactsModel

    /// The sharing, in every chat.
    public let sharing: SharingModel

    /// The world.
    public let world: WorldModel

    /// The places.
    public let places: PlaceKindsModel

    /// The person.
    public let me: MeModel

    private let person: SignedInUser
    private let context: AppContext

    /// Creates the models of a person.
    ///
    /// - Parameters:
    ///   - person: The person.
    ///   - signIn: The model that signs the person out.
    ///   - location: The device's location.
    ///   - pocket: Keeps a share going while the app isn't in view; `nil` for none.
    ///   - world: The way to the world; by default Socket.IO at the person's server, or the stream where the world is open to members
    ///     alone.
    public init(
        of person: SignedInUser,
        _ signIn: SignInModel,
        from location: any LocationService,
        pocket: PocketSharing? = nil,
        world: WorldChannel? = nil
    ) {
        let context = signIn.context
        (self.person, self.context) = (person, context)
        let sharing = SharingModel(of: person, from: location, pocket: pocket, context)
        let channel = world ?? Self.world(of: person.requests)
        self.sharing = sharing
        self.world = WorldModel(over: channel, from: location, context)
        chats = ChatsModel(of: person, context)
        contacts = ContactsModel(of: person, context)
        places = PlaceKindsModel(of: person, context)
        me = MeModel(of: person, sharing, signIn, context)
        sharing.world = self.world
    }

    private static func world(of requests: RESTClient) -> WorldChannel {
        let stream = WorldChannel { SharingClient(requests) }
        return WorldChannel(socketIO: { () throws(SharingError) in try SocketIOClient(links: requests.links) }
        ).or(stream)
    }

    /// Runs what goes on while any screen is shown: the sharing, and the chats with what is new.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.sharing.run() }
            group.addTask { await self.chats.run() }
        }
    }

    /// The models of a chat's screen.
    public func chat(_ chat: ChatID) -> ChatScreenModels {
        ChatScreenModels(
            map: ChatMapModel(of: chat, for: person, context),
            messages: MessagesModel(of: chat, for: person, context),
            form: ShareFormModel(in: chat, sharing),
            sharing: sharing
        )
    }
}

/// The models of a chat's screen: the map above, the messages below, and the sharing.
@MainActor
public final class ChatScreenModels {
    /// The map.
    public let map: ChatMapModel

    /// The messages.
    public let messages: MessagesModel

    /// What the person chooses before they share.
    public let form: ShareFormModel

    /// The sharing.
    public let sharing: SharingModel

    init(map: ChatMapModel, messages: MessagesModel, form: ShareFormModel, sharing: SharingModel) {
        (self.map, self.messages, self.form, self.sharing) = (map, messages, form, sharing)
    }

    /// How the person shares in this chat.
    public var share: ShareRow { sharing.row(in: map.chat) }

    /// Ends the sharing in this chat, or takes back one that waits to start.
    public func stop() {
        sharing.stop(in: map.chat)
    }

    /// Moves the end of the sharing in this chat by an hour.
    public func extend() {
        sharing.extend(in: map.chat)
    }

    /// Sends this device's positions into the sharing of this chat that runs without it.
    public func goOn() {
        sharing.goOn(in: map.chat)
    }

    /// Takes what stands beside the sharing off the screen.
    public func dismissProblem() {
        sharing.dismissProblem(in: map.chat)
    }

    /// Runs the map and the messages until the task is canceled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.map.run() }
            group.addTask { await self.messages.run() }
        }
    }
}
