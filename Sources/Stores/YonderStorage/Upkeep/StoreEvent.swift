/// An event of the store for the operator; the program logs each.
///
/// `SQLiteStore` reports them, on any thread and each change once, and `StoreLog` of the program writes them. A further
/// case needs a line there (`StoreFailureTests`, `ErasingTests`).
package enum StoreEvent: Hashable, Sendable {
    /// A write or a flush failed, and writes are refused until the store has recovered.
    ///
    /// `code` is SQLite's extended result code with its text, as in `13 database or disk is full`. Sent once
    /// per failure of a healthy store, not for each attempt to recover.
    case failed(code: String)

    /// The store can write again, but not yet make its files grow by the size of its reserve: content can only be
    /// erased.
    case short

    /// The store can write again.
    case recovered

    /// Erased content was removed from the database and its log.
    ///
    /// `pages` is the number of pages that contained leftovers.
    case erased(pages: Int)

    /// All pages that were written before, or by another program, were read, and their leftovers overwritten.
    case scrubbed

    /// Pages may still have leftovers: in a file of over 128 GiB they may be of a kind that mustn't be overwritten.
    ///
    /// Also for damaged pages. `pages` is the number since the last event.
    case unsure(pages: Int)

    /// A database of an earlier version, which kept erased content, was rewritten without it.
    case cleaned

    /// The disk lacks room to rewrite a database of an earlier version; the next start tries again.
    case cleaningPostponed(neededBytes: Int64)

    /// An earlier version gave numbers to two messages; those that lost theirs are in the table `conflict`.
    case conflicts(Int)
}
