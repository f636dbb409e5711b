#if Postgres
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Wakes a thread that waits for a socket.
///
/// A pipe rather than an eventfd, which only Linux has.
///
/// `Link` has one: any thread rings, the link's own waits. Rings before a wait count as one. A pipe that can't be made
/// traps, as the process has no descriptors left at its start. It must be a pipe that doesn't block, or a full one would
/// stop an event loop.
///
/// `LinkValueTests` and `PostgreSQLConnectionTests` run links over it.
// Safe because its numbers never change; any thread may write to a pipe.
package final class Bell: @unchecked Sendable {
    private let ends: (reading: Int32, writing: Int32)

    package init() {
        var numbers: [Int32] = [-1, -1]
        precondition(pipe(&numbers) == 0, "The process has no file descriptors left.")
        for number in numbers {
            _ = fcntl(number, F_SETFL, O_NONBLOCK)
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        }
        ends = (numbers[0], numbers[1])
    }

    deinit {
        _ = close(ends.reading)
        _ = close(ends.writing)
    }

    /// Wakes the thread, now or when it waits next.
    package func ring() {
        var byte: UInt8 = 1
        // A full pipe rings already.
        _ = write(ends.writing, &byte, 1)
    }

    /// Waits until it rings, the socket has something, or the time is over; -1 for no end.
    package func wait(also socket: (number: Int32, isWriting: Bool)?, milliseconds: Int32) {
        var places = [pollfd(fd: ends.reading, events: Int16(POLLIN), revents: 0)]
        if let socket {
            let events = socket.isWriting ? POLLIN | POLLOUT : POLLIN
            places.append(pollfd(fd: socket.number, events: Int16(events), revents: 0))
        }
        _ = poll(&places, nfds_t(places.count), milliseconds)
        guard places[0].revents != 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(ends.reading, &bytes, bytes.count) > 0 {}
    }
}
#endif
