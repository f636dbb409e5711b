import YonderJSON

// The features of a collection, one after another, as their bytes arrive: what `GeoJSONReader` does between the members
// before and behind them. A feature is parsed by `GeoJSONParser`; a damaged one is delivered as a failure with its offset,
// and reading goes on behind it if its end can be found. The result is the same however the bytes are cut, and no file makes
// the work grow faster than its length (`GeoJSONTests`). Where the search for the next feature continues may change, as long
// as bytes are read twice at most.

// A collection.
extension GeoJSONReader {
    mutating func takeBetweenFeatures(
        _ start: Int,
        _ bytes: Span<UInt8>,
        _ offset: Int,
        _ deliver: (Record) -> Void
    ) -> Int {
        let start = skipSpace(from: start, in: bytes)
        guard start < bytes.count else { return start }
        switch bytes[start] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if next == .comma { fail(.notJSON, at: offset + start, deliver) }
            mode = .feature
            extent.begin()
            return start
        case UInt8(ascii: "]"):
            if next == .feature { fail(.notJSON, at: offset + start, deliver) }
            mode = .tail
            extent.beginInObject()
            return start
        case UInt8(ascii: ","):
            if next == .first || next == .feature { fail(.notJSON, at: offset + start, deliver) }
            next = .feature
            return start + 1
        default:
            if next != .anything { fail(.notFeature, at: offset + start, deliver) }
            next = .anything
            return start + 1
        }
    }

    mutating func takeFeature(
        _ start: Int,
        _ bytes: Span<UInt8>,
        _ offset: Int,
        _ isLast: Bool,
        _ deliver: (Record) -> Void
    ) -> Int? {
        next = .comma
        if extent.position == 0,
            let end = deliverFeature(at: start, bytes, offset, allowsGeometry: false, deliver)
        {
            mode = .features
            return end
        }
        switch extent.scan(at: start, in: bytes, limit: limit, isLast: isLast) {
        case .incomplete: return nil
        case .closed(let end):
            parse(start..<end, bytes, offset, allowsGeometry: false, deliver)
            mode = .features
            return end
        case .broken(let index), .features(let index):
            fail(start..<min(index + 1, bytes.count), bytes, offset, isTooLong: false, deliver)
        case .tooLong: fail(start..<start + limit, bytes, offset, isTooLong: true, deliver)
        }
        mode = .lost
        if mayReadAgain(extent.position, at: offset + start) { return start + 1 }
        countLines(start..<start + extent.position, in: bytes)
        return start + extent.position
    }

    /// Searches for the beginning of a feature as most programs write it.
    mutating func findFeature(_ start: Int, _ bytes: Span<UInt8>, _ isLast: Bool) -> Int? {
        var index = start
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "{") {
                guard isLast || index + 64 <= bytes.count else {
                    countLines(start..<index, in: bytes)
                    return index > start ? index : nil
                }
                if Self.isFeature(index, in: bytes) {
                    countLines(start..<index, in: bytes)
                    mode = .feature
                    extent.begin()
                    return index
                }
            }
            index += 1
        }
        countLines(start..<index, in: bytes)
        if isLast { mode = .ended }
        return index
    }

    /// Whether the 64 bytes from a position begin with `{"type": "Feature"`, with white space anywhere.
    private static func isFeature(_ start: Int, in bytes: Span<UInt8>) -> Bool {
        bytes.extracting(start + 1..<min(bytes.count, start + 64)).withUnsafeBytes { text in
            var scanner = JSONScanner(text, refusesHalfPairs: true)
            guard let key = try? scanner.string(), key.equals("type", in: text) else { return false }
            guard scanner.takeIfNext(UInt8(ascii: ":")), let type = try? scanner.string() else {
                return false
            }
            return type.equals("Feature", in: text)
        }
    }
}

// Features.
extension GeoJSONReader {
    /// Delivers the feature at a position if it is complete and valid, so that its bytes are scanned only
    /// once.
    ///
    /// - Returns: The end of the feature, or `nil` if the end must be found first.
    mutating func deliverFeature(
        at start: Int,
        _ bytes: Span<UInt8>,
        _ offset: Int,
        allowsGeometry: Bool,
        _ deliver: (Record) -> Void
    ) -> Int? {
        let range = start..<min(bytes.count, start + limit)
        guard let (feature, end) = try? Self.feature(in: range, bytes, allowsGeometry: allowsGeometry) else {
            return nil
        }
        take(feature, start..<end, bytes, offset, deliver)
        return end
    }

    /// Returns the feature at the beginning of a range, and its end.
    private static func feature(
        in range: Range<Int>,
        _ bytes: Span<UInt8>,
        allowsGeometry: Bool
    ) throws(GeoJSONFailure) -> (GeoJSONFeature, end: Int) {
        try GeoJSONParser.parse(range, of: bytes) { parser throws(GeoJSONFailure) in
            try parser.scan()
            return (try parser.feature(allowsGeometry: allowsGeometry), parser.end)
        }
    }

    /// Delivers the feature in a range, or its failure.
    mutating func parse(
        _ range: Range<Int>,
        _ bytes: Span<UInt8>,
        _ offset: Int,
        allowsGeometry: Bool,
        _ deliver: (Record) -> Void
    ) {
        do throws(GeoJSONFailure) {
            let (feature, _) = try Self.feature(in: range, bytes, allowsGeometry: allowsGeometry)
            take(feature, range, bytes, offset, deliver)
        } catch {
            fail(error.reason, at: offset + error.offset, from: offset + range.lowerBound, deliver)
            countLines(range, in: bytes)
        }
    }

    private mutating func take(
        _ feature: GeoJSONFeature,
        _ range: Range<Int>,
        _ bytes: Span<UInt8>,
        _ offset: Int,
        _ deliver: (Record) -> Void
    ) {
        hasRead = true
        deliver(Record(offset: offset + range.lowerBound, line: line, result: .success(feature)))
        countLines(range, in: bytes)
    }

    /// Delivers the failure of a value with an invalid end.
    mutating func fail(
        _ range: Range<Int>,
        _ bytes: Span<UInt8>,
        _ offset: Int,
        isTooLong: Bool,
        _ deliver: (Record) -> Void
    ) {
        let start = offset + range.lowerBound
        do throws(GeoJSONFailure) {
            try GeoJSONParser.parse(range, of: bytes) { parser throws(GeoJSONFailure) in try parser.scan() }
            fail(.notJSON, at: start, deliver)
        } catch {
            let isCut = isTooLong && error.reason == .truncated
            fail(isCut ? .tooLong : error.reason, at: offset + error.offset, from: start, deliver)
        }
    }

    mutating func fail(
        _ reason: GeoJSONFailure.Reason,
        at offset: Int,
        from start: Int? = nil,
        _ deliver: (Record) -> Void
    ) {
        hasFailed = true
        let failure = GeoJSONFailure(reason, at: offset)
        deliver(Record(offset: start ?? offset, line: line, result: .failure(failure)))
    }

    /// Bounds the total to twice the length of the file, and a few features of the greatest length.
    mutating func mayReadAgain(_ count: Int, at offset: Int) -> Bool {
        guard bytesReadAgain + count <= offset + 4 * limit else { return false }
        bytesReadAgain += count
        return true
    }

    /// Skips white space, and the record separator of RFC 8142.
    mutating func skipSpace(from start: Int, in bytes: Span<UInt8>) -> Int {
        var index = start
        while index < bytes.count, XMLCharacters.isSpace(bytes[index]) || bytes[index] == 0x1E {
            if bytes[index] == 0x0A { line += 1 }
            index += 1
        }
        return index
    }

    mutating func countLines(_ range: Range<Int>, in bytes: Span<UInt8>) {
        var count = 0
        bytes.extracting(range).withUnsafeBufferPointer { for byte in $0 where byte == 0x0A { count &+= 1 } }
        line += count
    }
}
