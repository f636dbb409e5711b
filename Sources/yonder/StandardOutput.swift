#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Standard output, flushed after every line.
///
/// `Locate` and `Watch` print through it. A reader that has gone, as of a pipe to `head`, ends the program quietly with
/// the status of a broken pipe; another failure ends it with a message. Each line must be flushed, since scripts read
/// them as they come (`test_command_line.py`).
enum StandardOutput {
    /// Writes a line.
    ///
    /// If the reader has gone, as after `| head -1`, it ends the program the way other programs end then. If writing
    /// fails otherwise, such as on a full disk, it prints a message and ends the program with status 74.
    static func write(_ line: String) {
        if let error = writeAll(Array((line + "\n").utf8), to: STDOUT_FILENO) { endProgram(because: error) }
    }

    private static func endProgram(because error: CInt) -> Never {
        if error == EPIPE {
            // Sockets had it ignored.
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
        }
        StandardError.write("Standard output can't be written: \(String(cString: strerror(error)))")
        exit(74)
    }
}

/// Standard error, for error messages.
enum StandardError {
    /// Writes a line; a failure to write it is ignored.
    static func write(_ line: String) {
        write(Array((line + "\n").utf8))
    }

    /// Writes bytes that end with a line's end.
    static func write(_ bytes: [UInt8]) {
        _ = writeAll(bytes, to: STDERR_FILENO)
    }
}

/// Writes all bytes to a file.
///
/// - Returns: The `errno` of a write that failed, or `nil`.
private func writeAll(_ bytes: [UInt8], to descriptor: CInt) -> CInt? {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 {
            rest = rest.dropFirst(count)
        } else if errno != EINTR {
            return errno
        }
    }
    return nil
}
