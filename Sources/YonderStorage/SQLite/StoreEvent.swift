/// What an operator should know about the store's disk; the program logs each.
public enum StoreEvent: Hashable, Sendable {
    /// A write or a flush failed, and nothing is written until the store has recovered.
    ///
    /// `code` is SQLite's extended result code with its text, as in `13 database or disk is full`. Sent once for each
    /// failure that follows a healthy time, not for each attempt.
    case failed(code: String)

    /// The store can write again, but not yet make its files grow by ``Reserve/size``: content is only erased.
    case short

    /// The store writes again.
    case recovered

    /// Erased content has left the database and its log.
    ///
    /// `pages` is how many pages held leftovers beside what they store.
    case erased(pages: Int)

    /// A database of an earlier version, which kept erased content, was rewritten without it.
    case cleaned

    /// There isn't room to rewrite a database of an earlier version; it is tried again at the next start.
    case cleaningPostponed(neededBytes: Int64)

    /// An earlier version gave numbers to two messages; those that lost theirs stand in the table `conflict`.
    case conflicts(Int)
}
