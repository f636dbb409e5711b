import Foundation
import Synchronization

/// A program that a test runs, without this program's open files and blocked signals.
///
/// Foundation's `Process` reads past the end of a buffer while it looks for open files: with many of them, every dozenth run of the tests
/// ended by a segmentation fault.
public final class ChildProcess: Sendable {
    /// The program couldn't be started.
    public struct Failure: Error {
        /// The error's number.
        public let number: Int32
    }

    /// The number of the process.
    public let id: Int32

    /// The status that `waitpid` gave, or `nil` while it runs.
    private let status = Mutex<Int32?>(nil)
    private let end = DispatchGroup()

    /// Starts a program, with nothing to read and this program's outputs unless others are given.
    ///
    /// - Parameters:
    ///   - arguments: The path of the program to run, then the arguments that the program gets.
    ///   - variables: Environment variables beside, or in place of, those of this program.
    ///   - input: What it reads, as a file descriptor.
    ///   - output: Where it writes.
    ///   - complaints: Where it writes what is wrong.
    /// - Throws: ``Failure``.
    public init(
        _ arguments: [String],
        variables: [String: String] = [:],
        input: Int32? = nil,
        output: Int32? = nil,
        complaints: Int32? = nil
    ) throws {
        let nothing = open("/dev/null", O_RDWR)
        defer { close(nothing) }
        let environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }.map { "\($0)=\($1)" }
        id = try Self.spawn(arguments, environment, [input ?? nothing, output ?? 1, complaints ?? 2])
        end.enter()
        let thread = Thread { [self] in
            // Looked at first and taken under the lock: until then the number is nobody else's.
            var information = siginfo_t()
            while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            status.withLock { status in
                var found: Int32 = 0
                waitpid(id, &found, 0)
                status = found
            }
            end.leave()
        }
        thread.start()
    }

    /// Whether it hasn't ended.
    public var isRunning: Bool { status.withLock { $0 == nil } }

    /// Whether it has ended by itself, with status 0.
    public var hasSucceeded: Bool { status.withLock { $0 == 0 } }

    /// Sends it a signal, if it runs.
    public func send(_ signal: Int32) {
        status.withLock { if $0 == nil { _ = kill(id, signal) } }
    }

    /// Waits on this thread until it has ended.
    public func wait() { end.wait() }

    /// Waits until it has ended.
    public func ended() async {
        await withCheckedContinuation { continuation in
            end.notify(queue: .global()) { continuation.resume() }
        }
    }

    private static func spawn(_ arguments: [String], _ environment: [String], _ files: [Int32]) throws
        -> pid_t
    {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_CLOEXEC_DEFAULT
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        let flags = POSIX_SPAWN_SETSIGMASK
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (place, file) in files.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, file, Int32(place))
        }
        #if !canImport(Darwin)
        // Swift doesn't see what glibc declares for its own dialect of C alone.
        typealias CloseFrom =
            @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
        if let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") {
            _ = unsafeBitCast(symbol, to: CloseFrom.self)(&actions, Int32(files.count))
        }
        #endif
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var texts = (arguments.map { strdup($0) } + [nil], environment.map { strdup($0) } + [nil])
        defer { for text in texts.0 + texts.1 { free(text) } }
        var id: pid_t = 0
        let number = posix_spawn(&id, arguments[0], &actions, &attributes, &texts.0, &texts.1)
        guard number == 0 else { throw Failure(number: number) }
        return id
    }
}
