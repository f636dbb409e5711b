// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Stands for Apple's Network, so that on Linux the code for it is compiled and tested: what `YonderLink` uses of it, with Apple's
// signatures, and a peer that a test plays.
public import Dispatch
public import Foundation
public import Synchronization

public enum NWEndpoint: Hashable, Sendable {
    case url(URL)
}

public enum NWError: Error, Hashable, Sendable {
    case posix(POSIXErrorCode)
    case dns(Int32)
    case tls(Int32)
}

public final class NWProtocolDefinition: Sendable {}

open class NWProtocol {}

open class NWProtocolOptions {
    init() {}
}

// Safe because a test changes it before it hands it on.
open class NWProtocolMetadata: @unchecked Sendable {
    init() {}
}

public final class NWProtocolTCP: NWProtocol {
    public final class Options: NWProtocolOptions {
        override public init() {}
    }
}

public final class NWProtocolTLS: NWProtocol {
    public final class Options: NWProtocolOptions {
        override public init() {}
    }
}

public final class NWProtocolWebSocket: NWProtocol {
    public enum Version: Sendable {
        case v13
    }

    public enum Opcode: Sendable {
        case cont, text, binary, close, ping, pong
    }

    public enum CloseCode: Hashable, Sendable {
        public enum Defined: UInt16, Sendable {
            case normalClosure = 1000
            case goingAway
            case protocolError
            case unsupportedData
            case noStatusReceived = 1005
            case abnormalClosure
            case invalidFramePayloadData
            case policyViolation
            case messageTooBig
            case mandatoryExtension
            case internalServerError
            case tlsHandshake = 1015
        }

        case protocolCode(Defined)
        case applicationCode(UInt16)
        case privateCode(UInt16)
    }

    public final class Options: NWProtocolOptions {
        public var autoReplyPing = false
        public var maximumMessageSize = 0
        public private(set) var subprotocols: [String] = []
        public private(set) var headers: [(name: String, value: String)] = []

        public init(_ version: Version = .v13) {}

        public func setSubprotocols(_ subprotocols: [String]) { self.subprotocols = subprotocols }

        public func setAdditionalHeaders(_ headers: [(name: String, value: String)]) {
            self.headers = headers
        }
    }

    // Safe because a test changes it before it hands it on.
    public final class Metadata: NWProtocolMetadata, @unchecked Sendable {
        public let opcode: Opcode
        public var closeCode = CloseCode.protocolCode(.normalClosure)
        public internal(set) var selectedSubprotocol: String?
        fileprivate var onPong: (@Sendable (NWError?) -> Void)?

        public init(opcode: Opcode) { self.opcode = opcode }

        public func setPongHandler(_ queue: DispatchQueue, handler: @escaping @Sendable (NWError?) -> Void) {
            onPong = { error in queue.async { handler(error) } }
        }
    }

    public static let definition = NWProtocolDefinition()
}

public final class NWParameters {
    public final class ProtocolStack {
        public var applicationProtocols: [NWProtocolOptions] = []
    }

    public let defaultProtocolStack = ProtocolStack()
    public let isSecure: Bool

    public init(tls: NWProtocolTLS.Options?, tcp: NWProtocolTCP.Options = NWProtocolTCP.Options()) {
        isSecure = tls != nil
    }
}

// Safe because the handler is set before the connection starts, and the rest is behind a mutex.
public final class NWConnection: @unchecked Sendable {
    public enum State: Hashable, Sendable {
        case setup
        case waiting(NWError)
        case preparing
        case ready
        case failed(NWError)
        case cancelled
    }

    public final class ContentContext: Sendable {
        public let identifier: String
        private let metadata: [NWProtocolMetadata]

        public init(
            identifier: String,
            expiration: UInt64 = 0,
            priority: Double = 0.5,
            isFinal: Bool = false,
            antecedent: ContentContext? = nil,
            metadata: [NWProtocolMetadata]? = []
        ) {
            self.identifier = identifier
            self.metadata = metadata ?? []
        }

        public func protocolMetadata(definition: NWProtocolDefinition) -> NWProtocolMetadata? {
            metadata.first
        }
    }

    public enum SendCompletion: Sendable {
        case contentProcessed(@Sendable (NWError?) -> Void)
        case idempotent
    }

    public typealias Received = @Sendable (Data?, ContentContext?, Bool, NWError?) -> Void

    /// A frame that was sent, until the test says what became of it.
    public struct Sent: Sendable {
        public let content: Data?
        public let opcode: NWProtocolWebSocket.Opcode?
        public let completion: SendCompletion
        fileprivate let metadata: NWProtocolWebSocket.Metadata?

        /// The framework has passed the frame on, or couldn't.
        public func complete(_ error: NWError? = nil) {
            if case .contentProcessed(let done) = completion { done(error) }
        }

        /// The server answers the ping that this frame is.
        public func pong() { metadata?.onPong?(nil) }
    }

    private struct Peer {
        var subprotocol: String?
        var receiver: Received?
        var inbox: [(Data?, ContentContext?, NWError?)] = []
        var sent: [Sent] = []
        var isCanceled = false
        var queue: DispatchQueue?
    }

    /// What a test does with each connection that is made.
    public static let onStart = Mutex<(@Sendable (NWConnection) -> Void)?>(nil)

    public let endpoint: NWEndpoint
    public let parameters: NWParameters
    public var stateUpdateHandler: (@Sendable (State) -> Void)?
    private let peer = Mutex(Peer())

    public init(to endpoint: NWEndpoint, using parameters: NWParameters) {
        (self.endpoint, self.parameters) = (endpoint, parameters)
    }

    public func start(queue: DispatchQueue) {
        peer.withLock { $0.queue = queue }
        Self.onStart.withLock(\.self)?(self)
    }

    public func cancel() {
        let isNew = peer.withLock { peer in
            defer { peer.isCanceled = true }
            return !peer.isCanceled
        }
        if isNew { become(.cancelled) }
    }

    public func metadata(definition: NWProtocolDefinition) -> NWProtocolMetadata? {
        let metadata = NWProtocolWebSocket.Metadata(opcode: .cont)
        metadata.selectedSubprotocol = peer.withLock(\.subprotocol)
        return metadata
    }

    public func receiveMessage(completion: @escaping Received) {
        let next = peer.withLock { peer -> (Data?, ContentContext?, NWError?)? in
            guard !peer.inbox.isEmpty else {
                peer.receiver = completion
                return nil
            }
            return peer.inbox.removeFirst()
        }
        if let (data, context, error) = next { later { completion(data, context, true, error) } }
    }

    public func send(
        content: Data?,
        contentContext: ContentContext,
        isComplete: Bool,
        completion: SendCompletion
    ) {
        let metadata =
            contentContext.protocolMetadata(definition: NWProtocolWebSocket.definition)
            as? NWProtocolWebSocket.Metadata
        let sent = Sent(
            content: content,
            opcode: metadata?.opcode,
            completion: completion,
            metadata: metadata
        )
        peer.withLock { $0.sent.append(sent) }
    }

    // MARK: - What a test does

    /// The connection becomes ready, upgraded to a subprotocol.
    public func becomeReady(_ subprotocol: String?) {
        peer.withLock { $0.subprotocol = subprotocol }
        become(.ready)
    }

    /// The connection's state changes.
    public func become(_ state: State) {
        later { [self] in stateUpdateHandler?(state) }
    }

    /// A message comes; without an opcode the connection ends.
    public func deliver(_ content: Data?, _ metadata: NWProtocolWebSocket.Metadata?, _ error: NWError? = nil)
    {
        let context = metadata.map { ContentContext(identifier: "received", metadata: [$0]) }
        let receiver = peer.withLock { peer -> Received? in
            guard let receiver = peer.receiver else {
                peer.inbox.append((content, context, error))
                return nil
            }
            peer.receiver = nil
            return receiver
        }
        if let receiver { later { receiver(content, context, true, error) } }
    }

    /// The frames that were sent.
    public var sent: [Sent] { peer.withLock(\.sent) }

    public var isCanceled: Bool { peer.withLock(\.isCanceled) }

    private func later(_ body: @escaping @Sendable () -> Void) {
        peer.withLock(\.queue)?.async(execute: body)
    }
}
