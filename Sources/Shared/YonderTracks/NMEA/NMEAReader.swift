public import YonderGeodesy

/// Reads NMEA 0183 from a receiver: bytes in pieces of any size go in, and an epoch comes out for each
/// moment.
///
/// It reads RMC, GGA, GLL, ZDA, GST, VTG, GSA, GSV, HDT and HDG from any talker, skips every other sentence,
/// and recovers from anything else on the line: pieces of sentences, sentences run together, binary data, any
/// line ends or none after a checksum. The result doesn't depend on where the bytes are cut. It has no clock,
/// performs no input or output, and allocates no memory after its creation.
///
/// - **Checksums** are verified. A sentence without one is accepted, as by gpsd, until one of its kind came
///   with a checksum; from then on it counts as damaged. It needs a line end.
/// - **Fields** must be valid: a sentence with an invalid field is refused whole.
/// - **Epochs**: sentences with the same time of day form one epoch; of two that differ the later counts.
///   Sentences without a time belong to the current epoch, and GSA, GSV, HDT and HDG are valid for five
///   seconds. An epoch is delivered after its last sentence, which the reader learns from the stream; until
///   it has, when the next epoch begins.
/// - **Validity**: there is no fix if any sentence of the epoch says so (status V, quality 0, mode N).
///   Estimated, manual and simulated fixes are delivered and marked; see ``NMEAEpoch/quality``.
/// - **Dates** come from RMC and ZDA, and advance past midnight. Before the first one, the reference decides.
///
/// The format is as publicly documented in *NMEA Revealed*, https://gpsd.gitlab.io/gpsd/NMEA.html.
///
/// `NMEAConversation` of `YonderReceivers` has one for each connection to a receiver, and `TrackSource(readingNMEA:)` one for
/// a file. Nothing throws and no bytes trap: what can't be read is counted in ``counts`` and skipped. After ``finish(_:)``
/// the reader may go on.
///
/// The sentences' fields are read in `NMEAReports.swift`, and epochs are built in `NMEADraft`. That the result doesn't depend
/// on the cuts, and which line gives which position, must stay (`NMEAStreamTests`, `NMEAMutationTests`, `NMEARecordedTests`
/// with recordings read by gpsd, `make test-fuzz`). The five seconds are in `NMEASurroundings`, the 256 bytes in `NMEAFrame`.
///
/// A further sentence may be read, with its type in `NMEAReports.swift`; the counts may get further numbers.
public struct NMEAReader: Sendable {
    /// The numbers of sentences by result; independent of where the bytes are cut.
    public struct Counts: Hashable, Sendable {
        /// Sentences that were read and used.
        public var sentences = 0

        /// Whole sentences of other kinds, proprietary ones and AIS among them.
        public var skipped = 0

        /// Sentences whose checksum is wrong.
        public var wrongChecksums = 0

        /// Sentences without a checksum, of a kind that had one before.
        public var missingChecksums = 0

        /// Sentences that break off or have an invalid field.
        public var malformed = 0

        /// Sentences longer than 256 bytes.
        public var overlong = 0

        /// Bytes outside of sentences, except for line ends.
        public var garbageBytes = 0

        /// Epochs that were delivered.
        public var epochs = 0
    }

    /// The counts so far.
    public private(set) var counts = Counts()

    private let derivesAccuracy: Bool

    /// The beginning of an incomplete sentence.
    private var carry: [UInt8] = []

    /// The kinds of sentence that came with a checksum, a bit for each.
    private var kindsWithChecksum: UInt16
    private var cycle = NMEACycle()
    private var calendar: NMEACalendar
    private var surroundings = NMEASurroundings()
    private var draft = NMEADraft()

    /// Creates a reader at the beginning of a stream, or anywhere in it.
    ///
    /// - Parameters:
    ///   - reference: A time less than half a day from the first epoch, such as the present one for a live
    ///     receiver. It gives the day until an RMC or ZDA does, and the century of RMC's years. Without it,
    ///     years 80 to 99 are of the twentieth century.
    ///   - correctsWeekRollover: Whether a date before the reference is moved by as many times 1024 weeks as
    ///     bring it nearest: old receivers are wrong by that much. Only for live receivers.
    ///   - requiresChecksum: Whether sentences without a checksum are always refused.
    ///   - derivesAccuracy: Whether a position without an accuracy from the receiver (GST) gets an estimated
    ///     one: the dilution of precision times the error that gpsd assumes of any receiver, for a confidence
    ///     of 95 %.
    public init(
        reference: Timestamp? = nil,
        correctsWeekRollover: Bool = false,
        requiresChecksum: Bool = false,
        derivesAccuracy: Bool = true
    ) {
        calendar = NMEACalendar(reference: reference, correctsWeekRollover: correctsWeekRollover)
        kindsWithChecksum = requiresChecksum ? .max : 0
        self.derivesAccuracy = derivesAccuracy
        carry.reserveCapacity(NMEAFrame.longest)
    }

    /// Reads the next bytes, and delivers the epochs that they complete.
    public mutating func read(_ bytes: Span<UInt8>, _ deliver: (NMEAEpoch) -> Void) {
        var position = carry.isEmpty ? 0 : readCarry(with: bytes, deliver)
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!") {
                let frame = NMEAFrame(at: position, in: bytes)
                guard let next = take(frame, in: bytes, deliver) else { return keep(bytes, from: position) }
                position = next
            } else {
                if byte != 0x0A, byte != 0x0D { counts.garbageBytes += 1 }
                position += 1
            }
        }
    }

    /// Reads the next bytes, and delivers the epochs that they complete.
    public mutating func read(_ bytes: UnsafeRawBufferPointer, _ deliver: (NMEAEpoch) -> Void) {
        bytes.withMemoryRebound(to: UInt8.self) { read($0.span, deliver) }
    }

    /// Reads the next bytes, and delivers the epochs that they complete.
    public mutating func read(_ bytes: [UInt8], _ deliver: (NMEAEpoch) -> Void) {
        read(bytes.span, deliver)
    }

    /// Reads the next bytes, and returns the epochs that they complete.
    public mutating func read(_ bytes: [UInt8]) -> [NMEAEpoch] {
        var epochs: [NMEAEpoch] = []
        read(bytes.span) { epochs.append($0) }
        return epochs
    }

    /// Ends the stream: delivers the current epoch, if there is one.
    ///
    /// The reader keeps what it learned; more bytes may follow, as after a device was lost and found again.
    public mutating func finish(_ deliver: (NMEAEpoch) -> Void) {
        if !carry.isEmpty {
            counts.malformed += 1
            carry.removeAll(keepingCapacity: true)
        }
        if cycle.isOpen { end(deliver) }
        cycle.end()
    }

    /// Ends the stream, and returns the current epoch if there is one; see ``finish(_:)``.
    public mutating func finish() -> NMEAEpoch? {
        var last: NMEAEpoch?
        finish { last = $0 }
        return last
    }
}

// Frames.
extension NMEAReader {
    /// Completes the sentence that the last bytes began.
    ///
    /// - Returns: The position to continue at.
    private mutating func readCarry(with bytes: Span<UInt8>, _ deliver: (NMEAEpoch) -> Void) -> Int {
        var line: [UInt8] = []
        swap(&line, &carry)
        let count = line.count
        for position in 0..<min(bytes.count, NMEAFrame.longest - count) { line.append(bytes[position]) }
        let next = take(NMEAFrame(at: 0, in: line.span), in: line.span, deliver)
        if next != nil { line.removeAll(keepingCapacity: true) }
        swap(&line, &carry)
        // A frame that was incomplete after `count` bytes ends at or after them.
        return next.map { $0 - count } ?? bytes.count
    }

    private mutating func keep(_ bytes: Span<UInt8>, from start: Int) {
        for position in start..<bytes.count { carry.append(bytes[position]) }
    }

    /// - Returns: The position to continue at, or `nil` if the bytes end first.
    private mutating func take(
        _ frame: NMEAFrame,
        in bytes: Span<UInt8>,
        _ deliver: (NMEAEpoch) -> Void
    ) -> Int? {
        switch frame {
        case .sentence(let range, let hasChecksum, let next):
            take(NMEASentence(range, in: bytes), hasChecksum: hasChecksum, in: bytes, deliver)
            return next
        case .wrongChecksum(let next):
            counts.wrongChecksums += 1
            return next
        case .broken(let next):
            counts.malformed += 1
            return next
        case .overlong(let next):
            counts.overlong += 1
            return next
        case .incomplete: return nil
        }
    }

    private mutating func take(
        _ sentence: NMEASentence,
        hasChecksum: Bool,
        in bytes: Span<UInt8>,
        _ deliver: (NMEAEpoch) -> Void
    ) {
        guard let kind = sentence.kind else {
            counts.skipped += 1
            return
        }
        let bit = UInt16(1) << UInt16(kind.rawValue)
        guard hasChecksum || kindsWithChecksum & bit == 0 else {
            counts.missingChecksums += 1
            return
        }
        if hasChecksum { kindsWithChecksum |= bit }
        if read(sentence, kind, in: bytes, deliver) {
            counts.sentences += 1
        } else {
            counts.malformed += 1
        }
    }
}

// Sentences.
extension NMEAReader {
    /// - Returns: Whether the sentence is well formed.
    private mutating func read(
        _ sentence: NMEASentence,
        _ kind: NMEASentence.Kind,
        in bytes: Span<UInt8>,
        _ deliver: (NMEAEpoch) -> Void
    ) -> Bool {
        let (fields, talker) = (sentence.fields, sentence.talker)
        switch kind {
        case .rmc:
            guard let report = NMEARecommendedMinimum(fields, in: bytes) else { return false }
            take(kind, from: talker, at: report.time, deliver) {
                $0.take(report)
            } date: {
                // A receiver without a fix may not know the day either.
                report.isVoid ? nil : report.date
            }
        case .gga:
            guard let report = NMEAFix(fields, in: bytes) else { return false }
            take(kind, from: talker, at: report.time, deliver) { $0.take(report) }
        case .gll:
            guard let report = NMEAPlace(fields, in: bytes) else { return false }
            take(kind, from: talker, at: report.time, deliver) { $0.take(report) }
        case .zda:
            guard let report = NMEADateAndTime(fields, in: bytes) else { return false }
            take(kind, from: talker, at: report.time, deliver) { _ in
            } date: {
                report.date
            }
        case .gst:
            guard let report = NMEAErrors(fields, in: bytes) else { return false }
            take(kind, from: talker, at: report.time, deliver) { $0.take(report) }
        case .vtg:
            guard let report = NMEAMotion(fields, in: bytes) else { return false }
            take(report, deliver)
        case .gsa:
            guard let report = NMEAActiveSatellites(fields, in: bytes) else { return false }
            surroundings.take(report)
        case .gsv:
            guard let report = NMEASatellitesInView(fields, in: bytes) else { return false }
            surroundings.take(report, from: talker)
        case .hdt:
            guard let report = NMEAHeading(true: fields, in: bytes) else { return false }
            surroundings.takeTrue(report)
        case .hdg:
            guard let report = NMEAHeading(magnetic: fields, in: bytes) else { return false }
            surroundings.takeMagnetic(report)
        }
        return true
    }
}

// Epochs.
extension NMEAReader {
    /// Adds a sentence that has a time, or would have one if the receiver knew it.
    private mutating func take(
        _ kind: NMEASentence.Kind,
        from talker: UInt16,
        at time: Int?,
        _ deliver: (NMEAEpoch) -> Void,
        _ change: (inout NMEADraft) -> Void,
        date: () -> NMEADate? = { nil }
    ) {
        if cycle.begins(with: kind, from: talker, at: time) {
            if cycle.isOpen { end(deliver) }
            cycle.begin(with: kind, from: talker, at: time)
            surroundings.advance(to: time)
            draft = NMEADraft()
        }
        if let time {
            calendar.advance(to: time)
            if let date = date() { calendar.set(date) }
        }
        guard !cycle.hasEnded else {
            let matters = kind == .rmc || kind == .gga || kind == .gst || !draft.hasCoordinate
            if matters { cycle.missed(kind) }
            return
        }
        change(&draft)
        if cycle.take(kind, at: time) { end(deliver) }
    }

    /// Adds speed and course, which have no time; they are awaited only if there is no RMC.
    private mutating func take(_ report: NMEAMotion, _ deliver: (NMEAEpoch) -> Void) {
        if cycle.isOpen {
            draft.take(report)
            if !draft.hasMotion, cycle.take(.vtg, at: nil) { end(deliver) }
        } else if cycle.hasEnded, !draft.hasMotion {
            cycle.missed(.vtg)
        }
    }

    private mutating func end(_ deliver: (NMEAEpoch) -> Void) {
        counts.epochs += 1
        deliver(
            draft.epoch(
                time: cycle.time,
                timestamp: calendar.timestamp,
                surroundings: surroundings,
                derivesAccuracy: derivesAccuracy
            )
        )
    }
}
