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
    /// The app's model, which the app's delegate runs.
    let app: AppModel

    /// Keeps a share going while the app isn't in view.
    let pocket: PocketSharing

    init() {
        let context = AppContext()
        let pocket = PocketSharing(
            on: ApplePocketSystem(),
            record: FilePocketRecordStore(folder: Self.folder),
            notice: context.pocketNotice
        )
        let signIn = SignInModel(store: KeychainSessionStore(), context: context, pocket: pocket) {
            SharingClient($0, outbox: Self.outbox())
        }
        self.pocket = pocket
        app = AppModel(signIn, from: LocationProvider(source: CoreLocationSource()), pocket: pocket)
    }

    /// The outbox in a folder of its own, so that a stop outlives the app; in memory if the folder can't be opened.
    private nonisolated static func outbox() -> any OutboxStore {
        (try? SQLiteOutboxStore.open(folder: folder.path)) ?? MemoryOutboxStore()
    }

    private nonisolated static var folder: URL {
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
            .appending(path: "Yonder")
    }
}
