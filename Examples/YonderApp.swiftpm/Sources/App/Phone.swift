import Foundation
import YonderAppModels
import YonderClient
import YonderLocation
import YonderModel
import YonderOutbox
import YonderRequests

/// What the app takes from the phone: its location, the keychain for the session, and a folder for what isn't sent yet.
@MainActor
final class Phone {
    /// The model of the sign-in, which keeps the person's client running.
    let signIn: SignInModel

    /// The phone's location, by Core Location.
    let location: any LocationService

    init() {
        location = LocationProvider(source: CoreLocationSource())
        signIn = SignInModel(store: KeychainSessionStore()) { SharingClient($0, outbox: Self.outbox()) }
    }

    /// The outbox in a folder of its own, so that a stop outlives the app; in memory if the folder can't be opened.
    private nonisolated static func outbox() -> any OutboxStore {
        let folder = URL.applicationSupportDirectory.appending(path: "Outbox").path
        return (try? SQLiteOutboxStore.open(folder: folder)) ?? MemoryOutboxStore()
    }
}
