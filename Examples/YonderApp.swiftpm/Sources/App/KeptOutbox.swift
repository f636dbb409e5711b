import Foundation
import Synchronization
import YonderModel
import YonderOutbox

/// The outbox in a folder of its own, so that a stop outlives the process: opened once, as the folder is locked while it is open.
final class KeptOutbox: Sendable {
    private let folder: URL
    private let opened = Mutex<SQLiteOutboxStore?>(nil)

    init(folder: URL) {
        self.folder = folder
    }

    /// The outbox; one in memory for a client that is made while the folder can't be opened.
    func store() -> any OutboxStore {
        opened.withLock { opened in
            opened = opened ?? (try? SQLiteOutboxStore.open(folder: folder.path(percentEncoded: false)))
            return opened ?? MemoryOutboxStore()
        }
    }
}
