#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Memory that this process has freed and the C library keeps for later.
///
/// The GNU C library gives back by itself only what lies at the end of a heap. After a flood of requests a server would
/// keep what the flood needed until it ends. Where the C library has no `malloc_trim`, nothing is done.
///
/// `ServerProcess` calls ``giveBackLargeBlocks()`` at the start, and `MemoryService` ``giveBack()`` now and then.
/// Nothing fails; without `/proc` or `malloc_trim` nothing happens. ``slack`` may be changed: less gives more back, and
/// takes the allocator's lock more often (`FreedMemoryTests`).
package struct FreedMemory: Sendable {
    /// How many bytes above the least resident memory are left alone.
    package static let slack = 16 << 20

    /// The least resident memory that was seen, in bytes.
    private(set) var least: Int?

    package init() {}

    /// Has every block of 4 MiB or more given back when it is freed; call it once, at the start.
    ///
    /// By itself the GNU C library raises that size to the largest freed block's, up to 32 MiB. Each thread then keeps
    /// the blocks below it: on a small machine, after some sign-ins, every thread would keep the memory of one password's
    /// hash.
    package static func giveBackLargeBlocks() {
        guard let symbol = dlsym(nil, "mallopt") else { return }
        let set = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)
        // M_MMAP_THRESHOLD of malloc.h.
        _ = set(-3, 4 << 20)
    }

    /// Gives freed memory back if the process has more than the slack above its least.
    ///
    /// The C library walks over what is free in each of its heaps: some milliseconds where much was freed.
    ///
    /// - Returns: How many bytes fewer are resident; `nil` if it wasn't tried.
    package mutating func giveBack() -> Int? {
        guard let before = ProcessMetrics.residentMemory, isMuch(before) else { return nil }
        guard let symbol = dlsym(nil, "malloc_trim") else { return nil }
        let trim = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)
        _ = trim(0)
        let after = ProcessMetrics.residentMemory ?? before
        _ = isMuch(after)
        return max(before - after, 0)
    }

    /// Whether so much resident memory is above the slack; the least is kept.
    mutating func isMuch(_ resident: Int) -> Bool {
        let least = min(least ?? resident, resident)
        self.least = least
        return resident > least + Self.slack
    }
}
