/// Finds the values of one row and its end, in bytes that may break off anywhere.
///
/// It follows RFC 4180, and reads deviations as spreadsheets and Python's `csv` do: a quote opens a value
/// only at the value's beginning, and is an ordinary byte elsewhere in an unquoted value.
///
/// `CSVReader` has one: it calls ``begin()`` for each row and ``scan(at:in:limits:isLast:)`` with each piece, and reads
/// ``fields`` after `row`. After `incomplete` it continues where it stopped, with the same start. A failure is a row's
/// failure, after which the reader begins anew. Nothing traps. How a quote inside a value is read must stay, as spreadsheets
/// do the same (`CSVTests`, `Tests/Fixtures/formats`).
///
/// How runs of plain bytes are passed over may change.
struct CSVScanner: Sendable {
    enum Outcome {
        /// The row continues beyond the bytes.
        case incomplete

        /// The row ends before a position. A line end may follow.
        case row(end: Int)
        case failure(CSVFailure.Reason, at: Int)
    }

    private enum State {
        case start, plain, quoted, quoteInQuoted
    }

    var separator = UInt8(ascii: ",")

    /// The values so far.
    var fields: [CSVRow.Field] = []

    /// The number of bytes of the row that were scanned.
    private(set) var position = 0

    /// Whether a value contains a line end.
    private(set) var hasLineEnds = false
    private var state = State.start
    private var fieldStart = 0
    private var hasEscapes = false

    /// Begins a row.
    mutating func begin() {
        fields.removeAll(keepingCapacity: true)
        (position, fieldStart, state) = (0, 0, .start)
        (hasEscapes, hasLineEnds) = (false, false)
    }

    /// Continues with the row that begins at a position.
    mutating func scan(at start: Int, in bytes: Span<UInt8>, limits: CSVReader.Limits, isLast: Bool)
        -> Outcome
    {
        let end = min(bytes.count, start + limits.rowLength)
        var index = start + position
        defer { position = index - start }
        while index < end {
            let byte = bytes[index]
            switch state {
            case .start where byte == UInt8(ascii: "\""):
                (state, fieldStart) = (.quoted, index + 1 - start)
                index += 1
            case .start: state = .plain
            case .plain:
                index = endOfPlain(from: index, to: end, in: bytes)
                guard index < end else { continue }
                close(at: index - start)
                guard bytes[index] == separator else { return .row(end: index) }
                index += 1
                beginField(at: index - start)
            case .quoted:
                index = endOfQuoted(from: index, to: end, in: bytes)
                guard index < end else { continue }
                state = .quoteInQuoted
                index += 1
            case .quoteInQuoted where byte == UInt8(ascii: "\""):
                (state, hasEscapes) = (.quoted, true)
                index += 1
            case .quoteInQuoted:
                guard byte == separator || byte == 0x0A || byte == 0x0D else {
                    return .failure(.textAfterQuote, at: index)
                }
                close(at: index - 1 - start)
                guard byte == separator else { return .row(end: index) }
                index += 1
                beginField(at: index - start)
            }
            if fields.count >= limits.columns { return .failure(.tooManyColumns, at: index) }
        }
        if index - start >= limits.rowLength { return .failure(.tooLong, at: start) }
        guard isLast else { return .incomplete }
        guard state != .quoted else { return .failure(.unclosedQuote, at: start + fieldStart - 1) }
        close(at: index - start - (state == .quoteInQuoted ? 1 : 0))
        return .row(end: index)
    }

    private mutating func beginField(at start: Int) {
        (state, fieldStart, hasEscapes) = (.start, start, false)
    }

    private mutating func close(at end: Int) {
        let field = CSVRow.Field(
            start: Int32(fieldStart),
            end: Int32(end),
            hasEscapes: hasEscapes,
            isQuoted: state == .quoted || state == .quoteInQuoted
        )
        fields.append(field)
    }

    private func endOfPlain(from start: Int, to end: Int, in bytes: Span<UInt8>) -> Int {
        var index = start
        while index < end {
            let byte = bytes[index]
            if byte == separator || byte == 0x0A || byte == 0x0D { return index }
            index += 1
        }
        return index
    }

    private mutating func endOfQuoted(from start: Int, to end: Int, in bytes: Span<UInt8>) -> Int {
        var index = start
        while index < end {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") { return index }
            if byte == 0x0A || byte == 0x0D { hasLineEnds = true }
            index += 1
        }
        return index
    }
}
