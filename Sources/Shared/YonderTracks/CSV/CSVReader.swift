/// Reads a CSV file: bytes in pieces of any size go in, rows come out, each with its position or its failure.
///
/// It reads RFC 4180 and common deviations from it: a byte order mark; lines that end in CRLF, LF or CR; a
/// separator other than the comma, guessed from the header or given by a first line `sep=;`; line ends within
/// quotes; empty lines, which are skipped. The first row is the header. Every value stays text. The result
/// doesn't depend on where the bytes are cut, and memory holds at most one row.
///
/// After an invalid row, reading continues in the line after the beginning of that row, so that an unclosed
/// quote costs only one row. If that would read bytes more than twice on average, or if the row is too long,
/// it continues in the next line instead.
///
/// The server makes one for each imported file (`CSVRows`), and calls ``read(_:_:)`` for each piece of the request's body,
/// then ``finish(_:)`` once. Nothing throws: a row's failure is a record like a row, and an import reports it with its line.
/// A failure of the header ends the file.
///
/// That cuts change nothing, that no bytes trap, and that bytes are read twice at most must stay (`CSVTests`,
/// `make test-fuzz`). The default limits may change; the server passes its own. Where a row ends is decided in `CSVScanner`,
/// the separator in `CSVSeparatorGuess`.
public struct CSVReader: Sendable {
    /// A row or its failure.
    public typealias Record = FileRecord<CSVRow, CSVFailure>

    /// The limits of a file.
    public struct Limits: Hashable, Sendable {
        /// The row length in bytes that is too long.
        public var rowLength: Int

        /// The most columns of a row.
        public var columns: Int

        /// Creates limits, by default a mebibyte per row and 1 024 columns.
        ///
        /// A row has at most 1 GiB.
        public init(rowLength: Int = 1 << 20, columns: Int = 1024) {
            self.rowLength = min(max(1, rowLength), 1 << 30)
            self.columns = max(1, columns)
        }
    }

    /// The header's names, or `nil` until the header was read.
    public private(set) var columns: [String]?

    /// The separator, or `nil` until it is known.
    public private(set) var separator: CSVSeparator?

    private let limits: Limits
    private let allowsZero: Bool
    private var leftover = Leftover()
    private var scanner = CSVScanner()
    private var guess = CSVSeparatorGuess()
    private var row = CSVRow()
    private var line = 1
    private var isPastMark = false

    /// Whether the separator must be guessed from the file's first row.
    private var isAtFirstRow = true

    /// Whether the last byte was a carriage return: a line feed after it is part of the same line end.
    private var followsReturn = false

    /// Whether bytes are skipped up to the next line.
    private var isSkippingLine = false

    /// Whether the header was invalid, and so no row is read.
    private var hasEnded = false

    /// The number of bytes read more than once.
    private var bytesReadAgain = 0

    /// Creates a reader at the beginning of a file.
    ///
    /// With a separator of `nil`, the reader guesses it. A row with a zero byte is refused, unless
    /// `allowsZero` is set.
    public init(separator: CSVSeparator? = nil, limits: Limits = Limits(), allowsZero: Bool = false) {
        (self.separator, self.limits, self.allowsZero) = (separator, limits, allowsZero)
        if let separator { scanner.separator = separator.rawValue }
    }

    /// Reads the next bytes, and delivers the rows that they complete.
    public mutating func read(_ bytes: Span<UInt8>, _ deliver: (Record) -> Void) {
        step(through: bytes, deliver)
    }

    /// Reads the next bytes, and returns the rows that they complete.
    public mutating func read(_ bytes: [UInt8]) -> [Record] {
        var records: [Record] = []
        step(through: bytes.span) { records.append($0) }
        return records
    }

    /// Ends the file: delivers the last row if it has no line end, or its failure.
    ///
    /// No bytes may be read afterward.
    public mutating func finish(_ deliver: (Record) -> Void) {
        var leftover = Leftover()
        swap(&leftover, &self.leftover)
        leftover.finish { step(in: $0, at: $1, offset: $2, isLast: true, deliver) }
        if columns == nil, !hasEnded { fail(.noHeader, at: leftover.offset, deliver) }
        hasEnded = true
    }

    /// Ends the file, and returns the last records; see ``finish(_:)``.
    public mutating func finish() -> [Record] {
        var records: [Record] = []
        finish { records.append($0) }
        return records
    }
}

// Lines.
extension CSVReader {
    private mutating func step(through bytes: Span<UInt8>, _ deliver: (Record) -> Void) {
        var leftover = Leftover()
        swap(&leftover, &self.leftover)
        leftover.read(bytes) { step(in: $0, at: $1, offset: $2, isLast: false, deliver) }
        swap(&leftover, &self.leftover)
    }

    /// Reads a row, a line end or skipped bytes; `nil` if the row is incomplete.
    private mutating func step(
        in bytes: Span<UInt8>,
        at start: Int,
        offset: Int,
        isLast: Bool,
        _ deliver: (Record) -> Void
    ) -> Int? {
        if hasEnded { return bytes.count }
        if !isPastMark { return skipMark(in: bytes, isLast: isLast) }
        let byte = bytes[start]
        if byte == 0x0A || byte == 0x0D {
            take(lineEnd: byte)
            return start + 1
        }
        followsReturn = false
        if isSkippingLine { return endOfLine(from: start, in: bytes) }
        if isAtFirstRow {
            guard let next = findSeparator(in: bytes, at: start, isLast: isLast) else { return nil }
            isAtFirstRow = false
            if next > start { return next }
        }
        switch scanner.scan(at: start, in: bytes, limits: limits, isLast: isLast) {
        case .incomplete: return nil
        case .row(let end):
            take(start..<end, in: bytes, offset: offset, deliver)
            scanner.begin()
            return end
        case .failure(let reason, let index):
            fail(reason, at: offset + index, from: offset + start, deliver)
            defer { scanner.begin() }
            return resume(after: start, in: bytes, offset: offset)
        }
    }

    /// Skips a UTF-8 byte order mark.
    private mutating func skipMark(in bytes: Span<UInt8>, isLast: Bool) -> Int? {
        let mark: InlineArray<3, UInt8> = [0xEF, 0xBB, 0xBF]
        for index in 0..<3 {
            guard index < bytes.count else {
                isPastMark = isLast
                return isLast ? 0 : nil
            }
            guard bytes[index] == mark[index] else {
                isPastMark = true
                return 0
            }
        }
        isPastMark = true
        return 3
    }

    private mutating func take(lineEnd byte: UInt8) {
        if byte == 0x0A, followsReturn {
            followsReturn = false
            return
        }
        followsReturn = byte == 0x0D
        isSkippingLine = false
        line += 1
    }

    private func endOfLine(from start: Int, in bytes: Span<UInt8>) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
        return index
    }

    /// Determines the separator from the first row.
    ///
    /// - Returns: The beginning of the header, or `nil` if the row is incomplete.
    private mutating func findSeparator(in bytes: Span<UInt8>, at start: Int, isLast: Bool) -> Int? {
        guard separator == nil else { return start }
        let guessed = guess.guess(at: start, in: bytes, limit: limits.rowLength, isLast: isLast)
        guard let guessed else { return nil }
        let said =
            guess.position == 5 && XMLCharacters.equal("sep=", at: start, in: bytes)
            ? CSVSeparator(rawValue: bytes[start + 4]) : nil
        separator = said ?? guessed
        scanner.separator = (said ?? guessed).rawValue
        return said == nil ? start : start + 5
    }
}

// Rows.
extension CSVReader {
    private mutating func take(
        _ range: Range<Int>,
        in bytes: Span<UInt8>,
        offset: Int,
        _ deliver: (Record) -> Void
    ) {
        let text = bytes.extracting(range)
        let start = offset + range.lowerBound
        defer { if scanner.hasLineEnds { line += Self.lineEnds(in: text) } }
        if let fault = UTF8Text.firstFault(in: text, allowsZero: allowsZero) {
            return fail(.notUTF8, at: start + fault, from: start, deliver)
        }
        row.bytes.removeAll(keepingCapacity: true)
        row.bytes.append(copyOf: text)
        swap(&row.fields, &scanner.fields)
        guard let columns else { return takeHeader(at: start, deliver) }
        guard row.count == columns.count else {
            return fail(.wrongColumnCount(row.count), at: start, deliver)
        }
        deliver(Record(offset: start, line: line, result: .success(row)))
    }

    private mutating func takeHeader(at offset: Int, _ deliver: (Record) -> Void) {
        let names = row.values
        // Compared as UTF-8: `String` considers a composed and a decomposed é equal.
        var seen: Set<[UInt8]> = []
        for name in names where !name.isEmpty && !seen.insert(Array(name.utf8)).inserted {
            return fail(.duplicateColumn(name), at: offset, deliver)
        }
        columns = names
    }

    private mutating func fail(
        _ reason: CSVFailure.Reason,
        at offset: Int,
        from start: Int? = nil,
        _ deliver: (Record) -> Void
    ) {
        if columns == nil { hasEnded = true }
        let failure = CSVFailure(reason, at: offset)
        deliver(Record(offset: start ?? offset, line: line, result: .failure(failure)))
    }

    /// The position to continue at after an invalid row.
    private mutating func resume(after start: Int, in bytes: Span<UInt8>, offset: Int) -> Int {
        let scanned = start + scanner.position
        let end = endOfLine(from: start, in: bytes)
        let again = scanned - end
        // Bounds the total to twice the length of the file, and a few rows of the greatest length.
        if again > 0, bytesReadAgain + again <= offset + start + 4 * limits.rowLength {
            bytesReadAgain += again
            return end
        }
        line += Self.lineEnds(in: bytes.extracting(start..<scanned))
        // A line feed after a carriage return must not count twice.
        followsReturn = scanned > start && bytes[scanned - 1] == 0x0D
        isSkippingLine = !followsReturn && (scanned == start || bytes[scanned - 1] != 0x0A)
        return scanned
    }

    private static func lineEnds(in bytes: Span<UInt8>) -> Int {
        var (count, wasReturn) = (0, false)
        for index in 0..<bytes.count {
            let byte = bytes[index]
            if byte == 0x0D || (byte == 0x0A && !wasReturn) { count += 1 }
            wasReturn = byte == 0x0D
        }
        return count
    }
}
