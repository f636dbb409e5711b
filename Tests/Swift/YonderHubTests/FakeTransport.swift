import TestSupport
import NIOCore

@testable import YonderHub

/// A connection that takes frames apart instead of sending them, and can be made to stop.
final class FakeTransport: SessionTransport {
    let eventLoop: any EventLoop
    let frames: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation
    private var queued = ByteBuffer()
    private var isHandingOn = false
    private(set) var closeCode: UInt16?
    private(set) var flushes = 0
    private(set) var writes = 0

    /// Whether the peer takes anything; while it doesn't, nothing is writable beyond ``bound`` bytes.
    var isStopped = false

    /// Whether the session wants no more messages for now.
    private(set) var isPaused = false

    /// Whether the session ever wanted no more messages.
    private(set) var wasPaused = false

    /// What came while the session wanted nothing, in order; as a WebSocket keeps it.
    private var held: [ByteBuffer] = []

    /// Where messages go.
    weak var session: Session?

    /// How many unsent bytes make it not writable.
    let bound: Int

    init(eventLoop: any EventLoop, bound: Int = 65_536) {
        self.eventLoop = eventLoop
        self.bound = bound
        (frames, continuation) = AsyncStream.makeStream(of: String.self)
    }

    var isWritable: Bool { queued.readableBytes < bound }

    /// How much is queued and not taken.
    var unsent: Int { queued.readableBytes }

    func write(_ frames: ByteBuffer) {
        writes += 1
        var frames = frames
        queued.writeBuffer(&frames)
    }

    func flush() {
        flushes += 1
        guard !isStopped else { return }
        for payload in TextFrames.payloads(of: queued.readableBytesView) { continuation.yield(payload) }
        queued = ByteBuffer()
    }

    /// Hands a message to the session, or keeps it while the session wants nothing.
    func receive(_ message: ByteBuffer) {
        held.append(message)
        handOn()
    }

    func pauseReceiving() {
        isPaused = true
        wasPaused = true
    }

    func resumeReceiving() {
        isPaused = false
        handOn()
    }

    private func handOn() {
        guard !isHandingOn else { return }
        isHandingOn = true
        while !isPaused, !held.isEmpty { session?.receive(held.removeFirst()) }
        isHandingOn = false
    }

    func close(_ code: UInt16, _ reason: String) {
        closeCode = code
        continuation.finish()
    }
}
