// Keeps unsent messages and positions over restarts of the app.

import YonderClient
import YonderOutbox

// snippet.open
/// Makes a client whose outbox is in a folder of its own; messages that wait there are sent at the next connection.
func client(of server: String, token: String, folder: String) throws -> SharingClient {
    let outbox = try SQLiteOutboxStore.open(folder: folder)
    return try SharingClient(server: server, token: token, outbox: outbox)
}
// snippet.end
