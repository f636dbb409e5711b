#if Postgres
import Foundation
import Glibc
import Synchronization

/// Passes connections on to a PostgreSQL server, whose port may change, and cuts one between a statement's commit and its answer,
/// or all of them before a statement.
// Safe because its socket never changes, and the rest is behind a lock.
final class CuttingProxy: @unchecked Sendable {
    private struct State {
        var target: Int
        var marker: [UInt8]?
        var cuts = 0
        var statements = 0
        var last = Int.max
        var pairs: [Pair] = []
        var isEnded = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    let port: Int
    private let listener: Int32
    private let state: Mutex<State>

    /// Begins to listen on a free port of 127.0.0.1.
    init(to target: Int) throws {
        state = Mutex(State(target: target))
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 ? getsockname(listener, address, &length) : -1
            }
        }
        guard result == 0, listen(listener, 64) == 0 else {
            throw DatabaseServer.Failure(message: "The proxy has no port: \(errno).")
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { self.accept() }
    }

    /// How many connections were cut.
    var cuts: Int { state.withLock(\.cuts) }

    /// Connects new clients to another server from now on.
    func lead(to target: Int) {
        state.withLock { $0.target = target }
    }

    /// Cuts the connection on which a statement of this name is bound next, after the server has answered the statement and before
    /// the client receives the answer.
    func cut(at statement: String) {
        state.withLock { $0.marker = [0] + Array(statement.utf8) + [0] }
    }

    /// How many statements have come.
    var statements: Int { state.withLock(\.statements) }

    /// Cuts every connection when so many statements were passed on and a further one comes, and takes none from then on: what
    /// a killed client leaves.
    func stop(after statements: Int) {
        state.withLock { $0.last = statements }
    }

    /// Waits until it has stopped, by ``stop(after:)`` or ``end()``.
    func stopped() async {
        await withCheckedContinuation { continuation in
            let isEnded = state.withLock { state in
                if !state.isEnded { state.waiting = continuation }
                return state.isEnded
            }
            if isEnded { continuation.resume() }
        }
    }

    /// Stops listening.
    func end() {
        let wasEnded = state.withLock { state in
            defer { state.isEnded = true }
            return state.isEnded
        }
        guard !wasEnded else { return }
        // Ends `accept()`, which closes it: a number that is closed here could be another socket's by then.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func accept() {
        defer { close(listener) }
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { return }
            guard !state.withLock(\.isEnded), let server = connect() else {
                close(client)
                continue
            }
            let pair = Pair(client: client, server: server)
            let isEnded = state.withLock { state in
                state.pairs.append(pair)
                return state.isEnded
            }
            if isEnded { pair.cut() }
            Thread.detachNewThread { self.passUp(pair) }
            Thread.detachNewThread { self.passDown(pair) }
        }
    }

    private func connect() -> Int32? {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(port: UInt16(state.withLock(\.target)))
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(server)
            return nil
        }
        return server
    }

    private func passUp(_ pair: Pair) {
        var messages = MessageCounter()
        while let bytes = Self.receive(pair.client) {
            let count = messages.count(in: bytes)
            let isOver = state.withLock { state in
                state.statements += count
                return state.statements > state.last
            }
            if isOver {
                end()
                let (pairs, waiting) = state.withLock { state in
                    defer { state.waiting = nil }
                    return (state.pairs, state.waiting)
                }
                for pair in pairs { pair.cut() }
                waiting?.resume()
                break
            }
            let isMarked = state.withLock { state in
                guard let marker = state.marker, bytes.firstRange(of: marker) != nil else { return false }
                state.marker = nil
                return true
            }
            if isMarked { pair.isCut.store(true, ordering: .sequentiallyConsistent) }
            guard Self.send(bytes, to: pair.server) else { break }
        }
        pair.end()
    }

    private func passDown(_ pair: Pair) {
        while let bytes = Self.receive(pair.server) {
            // The first bytes after the mark are the server's answer, which ends with that to the `Sync`.
            if pair.isCut.load(ordering: .sequentiallyConsistent) {
                state.withLock { $0.cuts += 1 }
                break
            }
            guard Self.send(bytes, to: pair.client) else { break }
        }
        pair.end()
    }

    private static func receive(_ socket: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &bytes, bytes.count, 0)
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    private static func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            start += count
        }
        return true
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return address
    }

    /// Both ends of one connection, closed by the second thread that is done.
    private final class Pair: Sendable {
        let client: Int32
        let server: Int32
        let isCut = Atomic(false)
        private let done = Mutex(0)

        init(client: Int32, server: Int32) {
            self.client = client
            self.server = server
        }

        /// Ends the traffic; the threads then close both ends.
        func cut() {
            // Under the lock, as the numbers are other sockets' once they are closed.
            done.withLock { if $0 < 2 { shutDown() } }
        }

        func end() {
            done.withLock { done in
                shutDown()
                done += 1
                guard done == 2 else { return }
                close(client)
                close(server)
            }
        }

        private func shutDown() {
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(server, Int32(SHUT_RDWR))
        }
    }
}

/// Counts the statements that a client binds, however its bytes are cut: a message is a letter, its length and its content,
/// and the first message has no letter.
private struct MessageCounter {
    private var head: [UInt8] = [0]
    private var left = 0

    mutating func count(in bytes: [UInt8]) -> Int {
        var count = 0
        var place = 0
        while place < bytes.count {
            guard left == 0 else {
                let part = min(left, bytes.count - place)
                left -= part
                place += part
                continue
            }
            head.append(bytes[place])
            place += 1
            guard head.count == 5 else { continue }
            if head[0] == UInt8(ascii: "B") { count += 1 }
            left = head[1...].reduce(0) { $0 << 8 | Int($1) } - 4
            head = []
        }
        return count
    }
}
#endif
