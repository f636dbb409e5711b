import Foundation
import Synchronization
import YonderModel
import YonderOutbox

/// The outboxes on disk, so that a stop outlives the process: one for each account, as what waits in it is that person's.
///
/// Each is opened once, as its folder is locked while it is open.
final class KeptOutbox: Sendable {
    private let folder: URL
    private let opened = Mutex<[String: SQLiteOutboxStore]>([:])

    init(folder: URL) {
        self.folder = folder
    }

    /// The outbox of a person at a server; one in memory for a client that is made while the folder can't be opened.
    func store(of user: UserID, at server: String) -> any OutboxStore {
        let name = Data(server.utf8).base64EncodedString().replacing("/", with: "_") + "-\(user)"
        return opened.withLock { opened in
            let path = folder.appending(path: "Outboxes/\(name)").path(percentEncoded: false)
            opened[name] = opened[name] ?? (try? SQLiteOutboxStore.open(folder: path))
            return opened[name] ?? MemoryOutboxStore()
        }
    }
}
