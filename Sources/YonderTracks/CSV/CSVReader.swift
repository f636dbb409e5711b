/// Reads a CSV file: bytes in any pieces go in, rows come out, each with its place or with what is wrong with it.
///
/// It is RFC 4180 and what people really have: a byte order mark, lines that end in CRLF, LF or CR, a separator other
/// than the comma, found out from the header or said by a first line `sep=;`, line ends inside of quotes, empty lines
/// (which are skipped). The first row is the header. Every value stays text. How the bytes are cut makes no difference;
/// no more than a row is kept.
///
/// After a row that can't be read, reading goes on in the line after the one in which that row began, so that a quote
/// that was left open costs one row. Where that would make reading a file twice as long or longer, and after a row that
/// is too long, it goes on in the next line instead.
public struct CSVReader: Sendable {
    /// A row or what is wrong with it.
    public typealias Record = FileRecord<CSVRow, CSVFailure>

    /// How much a file may hold.
    public struct Limits: Hashable, Sendable {
        /// How many bytes a row may have; as many are too many.
        public var rowLength: Int

        /// How many columns a row may have.
        public var columns: Int

        /// Creates limits: a mebibyte a row and 1 024 columns, if nothing is said.
        ///
        /// A row has at most 1 GiB.
        public init(rowLength: Int = 1 << 20, columns: Int = 1024) {
            self.rowLength = min(max(1, rowLength), 1 << 30)
            self.columns = max(1, columns)
        }
    }

    /// The header's names, or `nil` as long as it wasn't read.
    public private(set) var columns: [String]?

    /// The separator, or `nil` as long as it wasn't found out.
    public private(set) var separator: CSVSeparator?

    private let limits: Limits
    private let allowsZero: Bool
    private var leftover = Leftover()
    private var scanner = CSVScanner()
    private var guess = CSVSeparatorGuess()
    private var row = CSVRow()
    private var line = 1
    private var isPastMark = false

    /// Whether the separator has to be found out, from the file's first row.
    private var isAtFirstRow = true

    /// Whether the last byte was a carriage return: a line feed belongs to it.
    private var followsReturn = false

    /// Whether what comes is skipped up to the next line.
    private var isSkippingLine = false

    /// Whether the header couldn't be read, and so nothing is.
    private var hasEnded = false

    /// How many bytes were read more than once.
    private var bytesReadAgain = 0

    /// Creates a reader at the beginning of a file.
    ///
    /// The separator is what stands between values, or `nil` to find it out. A row with a zero byte is refused, unless
    /// `allowsZero` says that it is text like any other.
    public init(separator: CSVSeparator? = nil, limits: Limits = Limits(), allowsZero: Bool = false) {
        (self.separator, self.limits, self.allowsZero) = (separator, limits, allowsZero)
        if let separator { scanner.separator = separator.rawValue }
    }

    /// Reads the next bytes, and delivers the rows that they complete.
    public mutating func read(_ bytes: Span<UInt8>, _ deliver: (Record) -> Void) {
        step(through: bytes, deliver)
    }

    /// Reads the next bytes, and gives the rows that they complete.
    public mutating func read(_ bytes: [UInt8]) -> [Record] {
        var records: [Record] = []
        step(through: bytes.span) { records.append($0) }
        return records
    }

    /// Ends the file: delivers the last row if no line end follows it, or what is wrong.
    ///
    /// Nothing may be read after it.
    public mutating func finish(_ deliver: (Record) -> Void) {
        var leftover = Leftover()
        swap(&leftover, &self.leftover)
        leftover.finish { step(in: $0, at: $1, offset: $2, isLast: true, deliver) }
        if columns == nil, !hasEnded { fail(.noHeader, at: leftover.offset, deliver) }
        hasEnded = true
    }

    /// Ends the file, and gives what comes of it; see ``finish(_:)``.
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

    /// Takes a row, a line end or what is to be skipped; `nil` if the row isn't complete.
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

    /// Skips the mark that says UTF-8.
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

    /// Finds out the separator from the first row.
    ///
    /// - Returns: Where the header begins, or `nil` if the row isn't complete.
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
        // Compared as UTF-8: `String` takes a composed and a decomposed é for one.
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

    /// Where to go on after a row that couldn't be read.
    private mutating func resume(after start: Int, in bytes: Span<UInt8>, offset: Int) -> Int {
        let scanned = start + scanner.position
        let end = endOfLine(from: start, in: bytes)
        let again = scanned - end
        // So the whole takes no more than twice as long as the file, and a few rows of the greatest length.
        if again > 0, bytesReadAgain + again <= offset + start + 4 * limits.rowLength {
            bytesReadAgain += again
            return end
        }
        line += Self.lineEnds(in: bytes.extracting(start..<scanned))
        // A line feed that follows a carriage return must not count again.
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
