/// The beginning of an incomplete record, for readers that accept a file in pieces of any size.
///
/// A reader passes a step function: it takes bytes and a position, and returns the position to continue at,
/// or `nil` if the record there is incomplete. The result must not depend on where the bytes were cut.
///
/// `CSVReader` and `GeoJSONReader` have one each; they swap it out while it runs, because its step changes the reader. It
/// can't fail. Memory grows to the longest record, which the reader's limit bounds. A step that returns the position it was
/// given would never end. ``joined`` decides speed alone; that cuts change nothing is tried by `CSVTests`, `GeoJSONTests` and
/// `make test-fuzz`.
struct Leftover: Sendable {
    /// The most bytes of the next piece that are joined to the leftover at a time.
    private static let joined = 1 << 14

    private var kept: [UInt8] = []

    /// The number of bytes of the file before the leftover.
    private(set) var offset = 0

    /// Calls the step repeatedly until it needs more bytes.
    ///
    /// The step's arguments are the bytes, the position in them, and the offset of the first byte in the
    /// file.
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

    /// Calls the step for the leftover at the end of the file; the step must consume all of it.
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
