import NIOCore
import YonderWire

extension EnginePacket {
    /// The packet as a WebSocket frame for clients of a protocol generation.
    func frame(for version: EngineVersion) -> ByteBuffer {
        let message = webSocketMessage(version: version)
        return isBinary ? OutboundFrame.binary(ByteBuffer(bytes: message)) : OutboundFrame.text(message)
    }
}
