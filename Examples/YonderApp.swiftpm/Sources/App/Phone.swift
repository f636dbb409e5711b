import Foundation
import YonderAppModels
import YonderClient
import YonderLocation
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
        let outbox = KeptOutbox(folder: Self.folder)
        let signIn = SignInModel(store: KeychainSessionStore(), context: context, pocket: pocket) {
            SharingClient($0, outbox: outbox.store(of: $1, at: $0.server))
        }
        self.pocket = pocket
        app = AppModel(signIn, from: LocationProvider(source: CoreLocationSource()), pocket: pocket)
    }

    /// The app's folder, for what outlives the process.
    private static var folder: URL {
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
            .appending(path: "Yonder")
    }
}
