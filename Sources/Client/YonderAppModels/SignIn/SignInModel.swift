import Foundation
public import Observation
public import YonderClient
public import YonderModel
public import YonderPocket
public import YonderRequests

/// Signs a person in and out, and runs the client of the person who is signed in.
///
/// An app has one; its ``run()`` is the root of all that the app does.
///
/// `AppModel` runs it from the launch on; the sign-in screen sets the fields and calls the buttons, on the main actor, also
/// twice: a button does nothing while ``isBusy``. Nothing throws: ``problem`` has the sentence to show. When the server has
/// ended the session, or the person signs out, the client ends, the device's session and the pocket's record are removed,
/// and ``stage`` returns to the sign-in. Without an answer the device's session stays, and is tried again.
///
/// Signing out waits for stops that the server hasn't got, for five seconds at most: a share must not run on for lack of a
/// session (`SignInModelTests`, `PocketSignInTests`).
///
/// Both waits may change here: `stopWait` delays a sign-out, `openWait` the next question for the person of a session.
@MainActor @Observable
public final class SignInModel {
    /// Which screens there are.
    public enum Stage: Sendable {
        /// The device's session is read, and its person asked for.
        case opening
        /// Nobody is signed in: the sign-in screen.
        case signedOut
        /// A person is signed in: all other screens.
        case signedIn(SignedInUser)
    }

    /// Makes the live client of a person, with the app's settings and an outbox of that person's at that server.
    ///
    /// An outbox belongs to one account: messages that wait in it are sent by the next client, whichever person that is.
    public typealias MakeClient = @Sendable (RESTClient, _ user: UserID) -> SharingClient

    private enum Chore: Hashable, Sendable {
        case useLink
        case usePassword
        case signOut
    }

    /// Which screens there are.
    public private(set) var stage = Stage.opening

    /// The server's address as typed; a whole link names its own server.
    public var server: String

    /// The sign-in link as pasted.
    public var link = ""

    /// The login as typed.
    public var login = ""

    /// The password as typed; emptied once it was sent.
    public var password = ""

    /// Whether the server is being asked: the buttons are disabled.
    public private(set) var isBusy = false

    /// Why the last try failed or the last session ended, or `nil`.
    public private(set) var problem: String?

    /// The language and the clock of the app's models.
    public let context: AppContext

    /// How long signing out waits for the server to have every stop.
    static let stopWait = Duration.seconds(5)

    /// How long to wait before the server is asked again for the person of the device's session.
    static let openWait = Duration.seconds(2)

    private let store: any SessionStore
    private let certificateAuthority: String?
    private let pocket: PocketSharing?
    private let makeClient: MakeClient
    private let chores = Chores<Chore>()
    @ObservationIgnored private var people: AsyncStream<SignedInUser>.Continuation?
    @ObservationIgnored private var end: AsyncStream<Void>.Continuation?

    /// Creates a model that hasn't looked for a session yet.
    ///
    /// - Parameters:
    ///   - server: The server's address that is typed already, such as `https://yonder.example.org`, or nothing.
    ///   - store: Where the session is kept.
    ///   - context: The language and the clock.
    ///   - certificateAuthority: As in ``YonderRequests/RESTClient``.
    ///   - pocket: Keeps a share going in the background. While a share is wanted, a later process signs the person of the
    ///     record in at once, and asks the server afterwards whose session it is. A sign-out ends the share.
    ///   - makeClient: Makes the live client; by default with an outbox in memory, which loses unsent stops with the process.
    public init(
        server: String = "",
        store: any SessionStore,
        context: AppContext = AppContext(),
        certificateAuthority: String? = nil,
        pocket: PocketSharing? = nil,
        makeClient: @escaping MakeClient = { requests, _ in SharingClient(requests) }
    ) {
        (self.server, self.store, self.context) = (server, store, context)
        (self.certificateAuthority, self.pocket, self.makeClient) = (certificateAuthority, pocket, makeClient)
    }

    // MARK: - Buttons

    /// Whether there is a link to sign in with.
    public var canUseLink: Bool { !isBusy && !link.allSatisfy(\.isWhitespace) }

    /// Whether there are a login and a password to sign in with.
    public var canUsePassword: Bool { !isBusy && !login.isEmpty && !password.isEmpty }

    /// Signs in with the link; ``problem`` has the reason of a refusal.
    public func useLink() {
        if canUseLink { begin(.useLink) }
    }

    /// Signs in with login and password; ``problem`` has the reason of a refusal.
    public func usePassword() {
        if canUsePassword { begin(.usePassword) }
    }

    /// Ends the person's shares and signs out, also without a connection.
    public func signOut() {
        if case .signedIn = stage, !isBusy { begin(.signOut) }
    }

    private func begin(_ chore: Chore) {
        (isBusy, problem) = (true, nil)
        chores.add(chore)
    }

    // MARK: - Running

    /// Reads the device's session, and keeps its person's client running, until the task is canceled.
    public func run() async {
        let (people, continuation) = AsyncStream.makeStream(
            of: SignedInUser.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        self.people = continuation
        if case .signedIn(let person) = stage { continuation.yield(person) }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.chores.run { await self.perform($0) } }
            group.addTask { await self.open() }
            for await person in people { await keepRunning(person) }
            group.cancelAll()
        }
    }

    private func perform(_ chore: Chore) async {
        switch chore {
        case .useLink:
            await signIn { [link = link.filter { !$0.isWhitespace }] requests throws(SharingError) in
                try await requests.signIn(link: link)
            }
        case .usePassword:
            await signIn { [login, password] requests throws(SharingError) in
                try await requests.signIn(login: login, password: password)
            }
        case .signOut: await leave()
        }
        isBusy = false
    }

    // MARK: - Signing in

    private func open() async {
        guard case .opening = stage else { return }
        do throws(SharingError) {
            guard let session = try await readSession() else {
                pocket?.signedOut()
                return stage = .signedOut
            }
            server = session.server
            guard let requests = restClient() else { return stage = .signedOut }
            try await resume(requests)
        } catch {
            if !Task.isCancelled { ended(error) }
        }
    }

    /// Reads the device's session; before the device's first unlock, which a pocket knows of, again until it can be read.
    private func readSession() async throws(SharingError) -> Session? {
        while let pocket, pocket.isLocked, !Task.isCancelled {
            if let session = try? await store.session() { return session }
            try? await context.clock.sleep(for: Self.openWait)
        }
        return try await store.session()
    }

    /// Asks for the person of the device's session, until the server answers; the person of a pocket's record is signed in
    /// before.
    private func resume(_ requests: RESTClient) async throws(SharingError) {
        var known: UserID?
        while !Task.isCancelled {
            if known == nil, let user = pocket?.user(at: requests.server) {
                become(user, requests)
                known = user.id
            }
            do throws(SharingError) {
                let user = try await requests.me().user
                // The record may be another person's than the session.
                if user.id != known, isResuming(requests) { become(user, requests) }
                return
            } catch {
                // While a share is wanted, a server that refuses to answer now doesn't end it.
                guard error.code == .unavailable || known != nil && !error.endsSession else { throw error }
                if known == nil { problem = context.say(error) }
            }
            try? await context.clock.sleep(for: Self.openWait)
            guard isResuming(requests) else { return }
        }
    }

    /// Whether the person hasn't signed out, or signed in anew, since the session was read.
    private func isResuming(_ requests: RESTClient) -> Bool {
        switch stage {
        case .opening: true
        case .signedOut: false
        case .signedIn(let person): person.requests === requests
        }
    }

    private func signIn(
        _ ask: (RESTClient) async throws(SharingError) -> User
    ) async {
        guard let requests = restClient() else { return }
        do throws(SharingError) {
            become(try await ask(requests), requests)
        } catch {
            problem = context.say(error)
        }
    }

    private func become(_ user: User, _ requests: RESTClient) {
        pocket?.signedIn(user.id, at: requests.server)
        end?.finish()
        let person = SignedInUser(user, requests: requests, client: makeClient(requests, user.id))
        (link, password, problem) = ("", "", nil)
        stage = .signedIn(person)
        people?.yield(person)
    }

    /// A client of the server that the link names, or else of the one that was typed; `nil` if that is no address.
    private func restClient() -> RESTClient? {
        let typed = link.range(of: "#link=").map { String(link[..<$0.lowerBound]) } ?? server
        let address = typed.filter { !$0.isWhitespace }
        do throws(SharingError) {
            return try RESTClient(server: address, store: store, certificateAuthority: certificateAuthority)
        } catch {
            problem = context.say(address.isEmpty ? .appNoServer : .appBadServer)
            return nil
        }
    }

    // MARK: - Being signed in

    /// Runs a person's client until they sign out, or until the server refuses it.
    private func keepRunning(_ person: SignedInUser) async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        self.end = end
        let error = await withTaskGroup(of: SharingError?.self) { group in
            group.addTask { await Self.refusal(of: person.client) }
            group.addTask {
                for await _ in ends {}
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        if let error { ended(error) }
    }

    private nonisolated static func refusal(of client: SharingClient) async -> SharingError? {
        do throws(SharingError) {
            try await client.run()
            return nil
        } catch {
            return error
        }
    }

    private func ended(_ error: SharingError) {
        if case .signedOut = stage { return }
        stage = .signedOut
        if error.endsSession { pocket?.signedOut() }
        problem = error.code == .notSignedIn ? context.say(.pageSessionEnded) : context.say(error)
    }

    private func leave() async {
        guard case .signedIn(let person) = stage else { return }
        pocket?.signedOut()
        await stopShares(of: person.client)
        end?.finish()
        do throws(SharingError) {
            try await person.requests.signOut()
        } catch {
            // This device has forgotten the session; the server's lasts until it is ended from elsewhere.
            problem = context.say(error)
        }
        stage = .signedOut
    }

    /// Waits until the server has every stop, but not for long.
    private func stopShares(of client: SharingClient) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = try? await client.stopShares() }
            group.addTask { [context] in try? await context.clock.sleep(for: Self.stopWait) }
            await group.next()
            group.cancelAll()
        }
    }
}

extension SharingError {
    /// Whether the server knows the device's session no more.
    fileprivate var endsSession: Bool {
        [.notSignedIn, .invalidCredentials, .accountDisabled].contains(code)
    }
}
