/// The beginning of a record whose rest has yet to come, for readers that take a file in any pieces.
///
/// A reader gives a step: it takes bytes and a position, and says where to go on, or `nil` if the record there isn't
/// complete. What it answers must not depend on how the bytes were cut.
struct Leftover: Sendable {
    /// How many bytes of the next piece are joined to what was left over, at a time.
    private static let joined = 1 << 14

    private var kept: [UInt8] = []

    /// How many bytes of the file lie before those that are kept.
    private(set) var offset = 0

    /// Calls the step as long as it can go on.
    ///
    /// It is given bytes, the position in them, and the offset of the first.
    mutating func read(_ bytes: Span<UInt8>, _ step: (Span<UInt8>, Int, Int) -> Int?) {
        var position = 0
        while !kept.isEmpty, position < bytes.count {
            let next = min(bytes.count, position + Self.joined)
            let count = kept.count
            kept.append(copyOf: bytes.extracting(position..<next))
            let stop = advance(kept.span, until: count, step)
            offset += stop
            if stop >= count {
                kept.removeAll(keepingCapacity: true)
                position += stop - count
            } else {
                kept.removeFirst(stop)
                position = next
            }
        }
        guard position < bytes.count else { return }
        let rest = bytes.extracting(position..<bytes.count)
        let stop = advance(rest, until: rest.count, step)
        offset += stop
        kept.append(copyOf: rest.extracting(stop..<rest.count))
    }

    /// Calls the step for what is left at the end; it must take all.
    mutating func finish(_ step: (Span<UInt8>, Int, Int) -> Int?) {
        var last: [UInt8] = []
        swap(&last, &kept)
        offset += advance(last.span, until: last.count, step)
    }

    private func advance(
        _ bytes: Span<UInt8>,
        until end: Int,
        _ step: (Span<UInt8>, Int, Int) -> Int?
    ) -> Int {
        var position = 0
        while position < end, let next = step(bytes, position, offset) { position = next }
        return position
    }
}
