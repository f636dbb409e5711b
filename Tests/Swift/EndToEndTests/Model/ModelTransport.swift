import NIOCore
import TestSupport
import YonderHub

/// The server's end of a connection in memory: hands on each frame that the session writes, unless the reader reads nothing.
///
/// Belongs to its event loop.
final class ModelTransport: SessionTransport {
    let eventLoop: any EventLoop

    /// Where messages go.
    weak var session: Session?

    private let handOn: (String) -> Void
    private let onClose: () -> Void
    private var queued = ByteBuffer()
    private var isHeld = false
    private var isPaused = false
    private var isReceiving = false
    private var received: [ByteBuffer] = []

    init(_ eventLoop: any EventLoop, handOn: @escaping (String) -> Void, onClose: @escaping () -> Void) {
        (self.eventLoop, self.handOn, self.onClose) = (eventLoop, handOn, onClose)
    }

    var isWritable: Bool { queued.readableBytes < 65_536 }

    func write(_ frames: ByteBuffer) {
        queued.writeImmutableBuffer(frames)
    }

    func flush() {
        guard !isHeld else { return }
        let wasWritable = isWritable
        let payloads = TextFrames.payloads(of: queued.readableBytesView)
        queued = ByteBuffer()
        for payload in payloads { handOn(payload) }
        // Later, as a channel says so: the session is writing now.
        if !wasWritable { eventLoop.assumeIsolated().execute { self.session?.writabilityChanged() } }
    }

    func close(_ code: UInt16, _ reason: String) {
        onClose()
    }

    /// Passes a message to the session, or keeps it while the session wants none.
    func receive(_ message: ByteBuffer) {
        received.append(message)
        receiveHeld()
    }

    func pauseReceiving() {
        isPaused = true
    }

    func resumeReceiving() {
        isPaused = false
        receiveHeld()
    }

    /// Has the reader read nothing, or everything.
    func hold(_ isHeld: Bool) {
        self.isHeld = isHeld
        guard !isHeld else { return }
        flush()
        session?.writabilityChanged()
    }

    private func receiveHeld() {
        guard !isReceiving else { return }
        isReceiving = true
        while !isPaused, let session, !received.isEmpty { session.receive(received.removeFirst()) }
        isReceiving = false
    }
}
