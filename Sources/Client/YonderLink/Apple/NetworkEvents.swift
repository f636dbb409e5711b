#if canImport(Network)
import Foundation
import Network

// The words of Network.framework as those of ``StreamEvents``. `NetworkStreamLink` turns each report of Network.framework
// into an event with these, and `StreamEvents` decides. Nothing fails; an error that isn't listed counts as `other`, after
// which the client connects again, too. Which errors mean that there is no way to the server may be added to
// (`make test-apple` runs it against a stand-in).
extension StreamEvents.Event {
    /// `nil` for a state after which nothing follows.
    init?(_ state: NWConnection.State, of connection: NWConnection) {
        switch state {
        case .ready:
            let handshake = connection.metadata(definition: NWProtocolWebSocket.definition)
            self = .ready(subprotocol: handshake?.webSocket?.selectedSubprotocol)
        case .waiting(let error), .failed(let error): self = .failed(StreamEvents.Failure(error))
        case .cancelled: self = .cancelled
        default: return nil
        }
    }

    /// What a call for the next message was answered.
    init(_ content: Data?, _ context: NWConnection.ContentContext?, _ error: NWError?) {
        let message = context?.protocolMetadata(definition: NWProtocolWebSocket.definition)?.webSocket
        switch message?.opcode {
        case .text: self = .text(content.map { [UInt8]($0) } ?? [])
        case .close:
            let reason = String(decoding: content ?? Data(), as: UTF8.self)
            self = .closed(code: message?.closeCode.number, reason: reason)
        case nil: self = .ended(error.map { "\($0)" })
        default: self = .other
        }
    }
}

extension StreamEvents.Failure {
    /// The errors of a network without a way to the server, and of a server that doesn't answer.
    private static let unreachable: Set<POSIXErrorCode> = [
        .ENETDOWN, .ENETUNREACH, .EHOSTDOWN, .EHOSTUNREACH, .ECONNREFUSED, .ETIMEDOUT,
    ]

    fileprivate init(_ error: NWError) {
        switch error {
        case .dns, .tls: self = .unreachable("\(error)")
        case .posix(let code) where Self.unreachable.contains(code): self = .unreachable("\(error)")
        default: self = .other("\(error)")
        }
    }
}

extension NWProtocolMetadata {
    fileprivate var webSocket: NWProtocolWebSocket.Metadata? { self as? NWProtocolWebSocket.Metadata }
}

extension NWProtocolWebSocket.CloseCode {
    /// The number of RFC 6455, section 7.4.
    fileprivate var number: UInt16? {
        if case .protocolCode(let code) = self { return code.rawValue }
        if case .applicationCode(let code) = self { return code }
        if case .privateCode(let code) = self { return code }
        return nil
    }
}
#endif
