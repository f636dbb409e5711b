/// Assembles packets whose attachments follow as separate messages.
///
/// `SocketIOSession` of the server has one for each connection, and passes it every message in order. A fault, as an
/// attachment without a packet or too many bytes, ends the connection; nothing traps. The limit comes from the server's
/// settings and bounds memory before all attachments are there (`SocketPacketTests`).
package struct SocketPacketAssembler: Sendable {
    private var incomplete: SocketPacket.Head?
    private var missing = 0
    private var bytesLeft = 0
    private let byteLimit: Int

    /// - Parameter byteLimit: The most bytes of a packet's attachments together.
    package init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// The bytes that it keeps until a packet's attachments are there.
    package var heldBytes: Int {
        incomplete.map { $0.packet.json.count + byteLimit - bytesLeft } ?? 0
    }

    /// Reads a text message.
    ///
    /// - Returns: The packet, or `nil` if attachments must follow.
    package mutating func receive(text: UnsafeRawBufferPointer) throws(SocketPacket.Fault) -> SocketPacket? {
        guard incomplete == nil else {
            throw SocketPacket.Fault(reason: "A binary attachment was expected; a text packet came.")
        }
        let head = try SocketPacket.read(text)
        guard head.attachmentCount > 0 else { return head.packet }
        incomplete = head
        missing = head.attachmentCount
        bytesLeft = byteLimit
        return nil
    }

    /// Reads a binary message.
    ///
    /// - Returns: The packet, or `nil` if more attachments must follow.
    package mutating func receive(attachment: [UInt8]) throws(SocketPacket.Fault) -> SocketPacket? {
        guard var head = incomplete else {
            throw SocketPacket.Fault(reason: "A binary attachment came that no event announced.")
        }
        incomplete = nil
        bytesLeft -= attachment.count
        guard bytesLeft >= 0 else { throw SocketPacket.Fault(reason: "The attachments are too big.") }
        head.packet.attachments.append(attachment)
        missing -= 1
        if missing == 0 { return head.packet }
        incomplete = head
        return nil
    }
}
