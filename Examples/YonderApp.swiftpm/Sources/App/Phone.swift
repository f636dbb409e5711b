import Foundation
import YonderAppModels
import YonderClient
import YonderLocation
import YonderModel
import YonderOutbox
import YonderPocket
import YonderRequests

/// What the app takes from the phone: its location, the keychain for the session, and a folder for what outlives the process.
@MainActor
final class Phone {
    /// The model of the sign-in, which keeps the person's client running.
    let signIn: SignInModel

    /// The phone's location, by Core Location.
    let location: any LocationService

    /// Keeps a share going while the app isn't in view.
    let pocket: PocketSharing

    init() {
        let context = AppContext()
        location = LocationProvider(source: CoreLocationSource())
        pocket = PocketSharing(
            on: ApplePocketSystem(),
            record: FilePocketRecordStore(folder: Self.folder),
            notice: context.pocketNotice
        )
        signIn = SignInModel(store: KeychainSessionStore(), context: context, pocket: pocket) {
            SharingClient($0, outbox: Self.outbox())
        }
    }

    /// What the models of a person need.
    var parts: PhoneParts { PhoneParts(location: location, pocket: pocket) }

    /// The outbox in a folder of its own, so that a stop outlives the app; in memory if the folder can't be opened.
    private nonisolated static func outbox() -> any OutboxStore {
        (try? SQLiteOutboxStore.open(folder: folder.path)) ?? MemoryOutboxStore()
    }

    private nonisolated static var folder: URL {
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
            .appending(path: "Yonder")
    }
}
