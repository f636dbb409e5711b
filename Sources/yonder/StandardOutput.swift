import Foundation

/// What the program says to whoever reads it: lines that leave at once.
enum StandardOutput {
    /// Writes a line.
    ///
    /// When nobody reads any more, as after `| head -1`, it ends the program the way other programs end then; when
    /// it can't be written otherwise, such as to a full disk, with a word and status 74.
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

/// Where the program complains.
enum StandardError {
    /// Writes a line; if nobody reads it, there is nobody to tell.
    static func write(_ line: String) {
        write(Data((line + "\n").utf8))
    }

    /// Writes bytes that end with a line's end.
    static func write(_ bytes: Data) {
        try? FileHandle.standardError.write(contentsOf: bytes)
    }
}
