public import Observation
public import YonderLocation
public import YonderPocket

/// The root of an app: the sign-in, and the models of the person who is signed in.
///
/// An app makes one and runs it from its launch on, outside of every view: after the system has launched the app in the
/// background there may be no view, and the model sends positions all the same.
///
/// The example's `Phone` makes one; views read ``content`` on the main actor. Nothing throws. The models of a person are new
/// at each sign-in, and are canceled at the sign-out, so that nothing of one person is shown to another (`SignInModelTests`,
/// `MeModelTests`). That it runs without a view must stay: the pocket takes a share up from here (`PocketSignInTests`).
@MainActor @Observable
public final class AppModel {
    /// Which screens there are.
    public enum Content {
        /// The device's session is read, and its person asked for.
        case opening
        /// The sign-in screen.
        case signedOut
        /// All other screens, with their models.
        case signedIn(PersonModels)
    }

    /// The sign-in.
    public let signIn: SignInModel

    private var person: PersonModels?
    private let location: any LocationService
    private let pocket: PocketSharing?

    /// Creates the root of an app that doesn't run yet.
    ///
    /// - Parameters:
    ///   - signIn: The sign-in, which has the same pocket.
    ///   - location: The device's location.
    ///   - pocket: Keeps a share going while the app isn't in view; `nil` for none.
    public init(_ signIn: SignInModel, from location: any LocationService, pocket: PocketSharing? = nil) {
        (self.signIn, self.location, self.pocket) = (signIn, location, pocket)
    }

    /// Which screens there are.
    public var content: Content {
        switch signIn.stage {
        case .opening: .opening
        case .signedOut: .signedOut
        case .signedIn: person.map(Content.signedIn) ?? .opening
        }
    }

    /// Signs in and out, and runs what goes on while a person is signed in, until the task is canceled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.signIn.run() }
            group.addTask { await self.followPerson() }
        }
    }

    /// Runs the account's models while the stage is ``SignInModel/Stage/signedIn(_:)``, and cancels them when the stage changes.
    private func followPerson() async {
        while !Task.isCancelled {
            let (changes, change) = AsyncStream.makeStream(of: Void.self)
            let stage = withObservationTracking {
                signIn.stage
            } onChange: {
                change.finish()
            }
            await withDiscardingTaskGroup { group in
                if case .signedIn(let user) = stage {
                    begin(user) { models in group.addTask { await models.run() } }
                }
                for await _ in changes {}
                group.cancelAll()
            }
            person = nil
        }
    }

    private func begin(_ user: SignedInUser, _ run: (PersonModels) -> Void) {
        let models = PersonModels(of: user, signIn, from: location, pocket: pocket)
        person = models
        run(models)
    }
}
