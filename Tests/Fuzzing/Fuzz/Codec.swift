import YonderModel

/// Something that reads a peer's bytes, and what must hold for all that it accepts.
struct Codec: Sendable {
    /// Reads bytes; traps where a promise is broken.
    let read: @Sendable ([UInt8]) -> Void

    /// Every codec.
    ///
    /// The order is that of the corpus: add at the end.
    static var all: [Codec] { [messageData] }

    /// A message's data is kept byte for byte.
    private static let messageData = Codec { bytes in
        guard let data = try? MessageData(bytes) else { return }
        precondition(data.bytes == bytes)
        precondition(bytes.contains(UInt8(ascii: "{")))
    }
}
