import Synchronization
import YonderClient
import YonderLink

/// Whether a ``GatedLink`` is writable.
final class Gate: Sendable {
    private let state = Mutex(false)

    var isOpen: Bool { state.withLock { $0 } }

    func open() {
        state.withLock { $0 = true }
    }
}

/// A connection that isn't writable before its gate is open.
struct GatedLink: StreamLink {
    let link: any StreamLink
    let gate: Gate

    func next() async throws(LinkClosure) -> [[UInt8]] { try await link.next() }
    func write(_ text: [UInt8]) { link.write(text) }
    var isWritable: Bool { gate.isOpen }
    func close() { link.close() }
}
