#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How much processor time the calling thread has used.
///
/// `HubLoop` asks it around each flush, for ``Pacing``; the exchange asks for the date. Nothing fails. It must be the
/// processor time of the thread, not of the process: other loops' work doesn't count.
enum ThreadClock {
    /// Nanoseconds, of the calling thread.
    static func nanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// The date and time, by the system's clock.
enum WallClock {
    /// Milliseconds since 1970.
    static func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
