import NIOCore
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Opens devices for reading: serial lines in raw mode, FIFOs, standard input.
///
/// `ReceiverConnector` opens each device of an `NMEASource` with it, and closes the descriptor if the event loop doesn't take
/// it; else that closes it. A call of the system that fails throws `IOError` with its number, of which the connector makes
/// `notAuthorized` or `sourceLost`. That opening never blocks, and no descriptor passes to child processes, must stay.
/// `NMEASourceTests` tries it with a pseudo-terminal and a FIFO.
enum DeviceDescriptor {
    /// Opens a path, or with `nil` a copy of standard input; never blocks.
    ///
    /// A terminal line is set to the given speed with 8 data bits, no parity and one stop bit, and doesn't
    /// become the process's controlling terminal.
    ///
    /// - Throws: `IOError`.
    static func open(_ path: String?, baudRate: BaudRate) throws -> CInt {
        let descriptor = try path.map(open) ?? checked("dup") { dup(STDIN_FILENO) }
        do {
            if path != nil, isatty(descriptor) == 1 { try makeRaw(descriptor, baudRate) }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    static func close(_ descriptor: CInt) {
        // No data was written, so none can be lost.
        closeFile(descriptor)
    }

    private static func open(_ path: String) throws -> CInt {
        try checked("open") { openFile(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) }
    }

    private static func makeRaw(_ descriptor: CInt, _ baudRate: BaudRate) throws {
        var settings = termios()
        try checked("tcgetattr") { tcgetattr(descriptor, &settings) }
        cfmakeraw(&settings)
        settings.c_cflag &= ~tcflag_t(CSTOPB)
        settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
        try checked("cfsetspeed") { cfsetspeed(&settings, baudRate.code) }
        try checked("tcsetattr") { tcsetattr(descriptor, TCSANOW, &settings) }
    }

    @discardableResult
    private static func checked(_ name: String, _ call: () -> CInt) throws -> CInt {
        let result = call()
        guard result >= 0 else { throw IOError(errnoCode: errno, reason: name) }
        return result
    }
}

// The C library's functions, whose names the enumeration's own hide.
private func openFile(_ path: String, _ flags: CInt) -> CInt { open(path, flags) }
private func closeFile(_ descriptor: CInt) { close(descriptor) }
