import Logging
import YonderStorage

/// Writes what happens to the store's disk into the log, with a level by how much an operator must do.
///
/// `StorePlace` passes ``report(_:)`` to `SQLiteStore`, which calls it from its own threads; PostgreSQL has no such events.
/// Nothing here fails or decides. A further case of `StoreEvent` needs a line here. The words may be changed.
///
/// Operators search for the messages that `Documentation/operations.md` quotes; change both.
struct StoreLog: Sendable {
    let logger: Logger

    func report(_ event: StoreEvent) {
        switch event {
        case .failed(let code):
            logger.error(
                "The store can't write. Reading goes on, writing is refused until it has recovered",
                metadata: ["code": "\(code)"]
            )
        case .short:
            logger.warning("The store can write again, but the disk is full: content can only be erased")
        case .recovered:
            logger.notice("The store has recovered and writes again")
        case .erased(let pages):
            logger.debug("Erased content has left the files", metadata: ["pages": "\(pages)"])
        case .scrubbed:
            logger.debug("All pages of the database were read, and what was erased before has left them")
        case .unsure(let pages):
            logger.warning(
                "Pages of the database may keep copies of erased content: it is larger than 128 GiB, or damaged",
                metadata: ["pages": "\(pages)"]
            )
        case .cleaned:
            logger.notice("The database of an earlier version was rewritten without erased content")
        case .cleaningPostponed(let bytes):
            logger.warning(
                """
                Erased content of an earlier version stays in the database: there is no room to rewrite it. The next \
                start tries again
                """,
                metadata: ["neededBytes": "\(bytes)"]
            )
        case .conflicts(let count):
            logger.error(
                """
                An earlier version gave the same number to two messages after its disk was full; those without a number \
                are in the table conflict
                """,
                metadata: ["messages": "\(count)"]
            )
        }
    }
}
