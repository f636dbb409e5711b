import Foundation

/// Standard output, flushed after every line.
enum StandardOutput {
    /// Writes a line.
    ///
    /// If the reader has gone, as after `| head -1`, it ends the program the way other programs end then. If writing
    /// fails otherwise, such as on a full disk, it prints a message and ends the program with status 74.
    static func write(_ line: String) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
        } catch {
            endProgram(because: error)
        }
    }

    private static func endProgram(because error: any Error) -> Never {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        if cause?.domain == NSPOSIXErrorDomain, cause?.code == Int(EPIPE) {
            // Sockets had it ignored.
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
        }
        StandardError.write(
            "Standard output can't be written: \((cause ?? error as NSError).localizedDescription)"
        )
        exit(74)
    }
}

/// Standard error, for error messages.
enum StandardError {
    /// Writes a line; a failure to write it is ignored.
    static func write(_ line: String) {
        write(Data((line + "\n").utf8))
    }

    /// Writes bytes that end with a line's end.
    static func write(_ bytes: Data) {
        try? FileHandle.standardError.write(contentsOf: bytes)
    }
}
