import NIOCore

/// Decodes the unmasked text frames that a server writes.
enum TextFrames {
    /// The payloads of the frames in a buffer, in order.
    static func payloads(of buffer: ByteBuffer) -> [String] {
        var buffer = buffer
        var payloads: [String] = []
        while let payload = next(&buffer) { payloads.append(payload) }
        return payloads
    }

    private static func next(_ buffer: inout ByteBuffer) -> String? {
        guard buffer.readInteger(as: UInt8.self) == 0x81, let short = buffer.readInteger(as: UInt8.self)
        else {
            return nil
        }
        let length: Int? =
            switch short {
            case 126: buffer.readInteger(as: UInt16.self).map(Int.init)
            case 127: buffer.readInteger(as: UInt64.self).map(Int.init)
            default: Int(short)
            }
        return length.flatMap { buffer.readString(length: $0) }
    }
}
