/// The one reading of all pages that were written before, or by another program, as a plain value without disk.
///
/// Invariants:
///
/// 1. It has ended only when every page from the first to the last was read since it was begun anew.
/// 2. A process goes on where the last one has stored that it is.
struct Scrubbing: Equatable {
    /// The stored number of a reading that has ended.
    static let ended: Int64 = 0

    /// The page to read next; `nil` if the reading has ended.
    private(set) var next: Int64?

    /// How often this process has begun anew: what an earlier reading has reached doesn't count.
    private(set) var restarts = 0

    /// Goes on with what is stored.
    ///
    /// - Parameter stored: ``stored`` of the last process; `nil` in a database in which none was begun.
    init(stored: Int64?) {
        next = stored == Self.ended ? nil : max(1, stored ?? 1)
    }

    /// What to store.
    var stored: Int64 { next ?? Self.ended }

    /// Begins anew, because any page may have leftovers.
    mutating func restart() {
        next = 1
        restarts += 1
    }

    /// Call this when the pages up to `next` were read and flushed; `nil` if these were all.
    mutating func advance(to next: Int64?) {
        self.next = next
    }
}
