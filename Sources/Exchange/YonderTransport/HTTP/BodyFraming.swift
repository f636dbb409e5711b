/// The share of framing in a request's body: chunk sizes, chunk extensions, and trailers.
///
/// The parser has no limit for chunk extensions and doesn't report them. So the bytes that it consumes are
/// compared with those that it delivers.
struct BodyFraming {
    /// Bytes of framing that are always allowed: the head of the request, and the rest of the read that
    /// contained it.
    static let allowance = 128 * 1024

    /// Further bytes of framing for each byte of content; a chunk of one byte has six.
    static let perContentByte = 8

    private var consumed = 0
    private var content = 0

    /// Call this when a request begins.
    mutating func began() {
        (consumed, content) = (0, 0)
    }

    /// Call this when the parser has delivered bytes of a body.
    mutating func handedOn(_ count: Int) {
        content += count
    }

    /// Call this when the parser has consumed bytes.
    ///
    /// - Returns: Whether the request may continue.
    mutating func consumed(_ count: Int) -> Bool {
        consumed += count
        return consumed - content <= Self.allowance + Self.perContentByte * content
    }
}
