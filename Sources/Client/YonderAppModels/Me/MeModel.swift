public import Observation
import YonderClient
import YonderModel
import YonderRequests

/// The person who is signed in: their name and address, how many people see them, and the way out.
///
/// `PersonModels` makes it; its view runs ``run()`` while it is shown, sets ``name``, and calls the buttons, on the main
/// actor, also twice: a button does nothing while the model is busy. Nothing throws: ``problem`` has the sentence, and the
/// name as typed stays. Signing out is `SignInModel`'s work, with its wait for stops. The rule of names is the server's
/// (`Profile.validate()`, `MeModelTests`).
///
/// Further parts of the profile are a property, a chore and a part of `OwnChange` each.
@MainActor @Observable
public final class MeModel {
    private enum Chore: Hashable, Sendable {
        case save(String)
    }

    /// The name as typed.
    public var name: String

    /// Whether the server is being asked: the button is disabled.
    public private(set) var isBusy = false

    /// Why the name wasn't saved, or `nil`.
    public private(set) var problem: String?

    /// That the name was saved, or `nil`.
    public private(set) var notice: String?

    /// Whether the screen asks if the person really wants to sign out.
    public var asksToSignOut = false

    /// The sharing, whose ``SharingModel/seenText`` says how many people see the person.
    public let sharing: SharingModel

    private var user: User
    /// How many names the server has saved for this model.
    private var saves = 0
    private let person: SignedInUser
    private let signIn: SignInModel
    private let context: AppContext
    private let chores = Chores<Chore>()

    /// Creates the model of the screen that shows the account: name, e-mail address, shares, sign-out.
    public init(
        of person: SignedInUser,
        _ sharing: SharingModel,
        _ signIn: SignInModel,
        _ context: AppContext
    ) {
        (self.person, self.sharing, self.signIn, self.context) = (person, sharing, signIn, context)
        (user, name) = (person.user, person.user.name)
    }

    // MARK: - What the screen shows

    /// The person's picture or letters.
    public var face: Face { Face(user) }

    /// The e-mail address; empty if there is none.
    public var email: String { user.email ?? "" }

    /// That the person is signed in, with their name.
    public var signedInText: String { context.say(.appSignedInAs, ["name": user.name]) }

    /// Whether there is a new name to save.
    public var canSave: Bool { !isBusy && wanted != user.name && !wanted.isEmpty }

    /// Whether the person can sign out now.
    public var canSignOut: Bool { !signIn.isBusy }

    private var wanted: String { name.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    // MARK: - Buttons

    /// Saves the name; `problem` has the reason if the server refuses.
    public func save() {
        guard canSave else { return }
        (isBusy, problem, notice) = (true, nil, nil)
        chores.add(.save(wanted))
    }

    /// Asks whether the person really wants to sign out.
    public func askToSignOut() {
        asksToSignOut = true
    }

    /// Ends the person's shares and signs out, also without a connection.
    public func signOut() {
        signIn.signOut()
    }

    // MARK: - Running

    /// Asks for the person's present name, and saves what is asked for, until the task is canceled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.chores.run { await self.perform($0) } }
            group.addTask { await self.read() }
        }
    }

    private func read() async {
        let earlier = saves
        do throws(SharingError) {
            let present = try await person.requests.me().user
            // The answer may be older than a save that was answered meanwhile.
            guard saves == earlier else { return }
            if name == user.name { name = present.name }
            user = present
        } catch {
            // The name of the sign-in stays; `problem` has the reason at the next save.
        }
    }

    private func perform(_ chore: Chore) async {
        defer { isBusy = false }
        switch chore {
        case .save(let name):
            do throws(SharingError) {
                user = try await person.requests.changeMe { @Sendable change in change.name = name }
                saves += 1
                // A name that is typed meanwhile stays.
                if wanted == name { self.name = user.name }
                notice = context.say(.pageSaved)
            } catch {
                problem = context.say(error)
            }
        }
    }
}
