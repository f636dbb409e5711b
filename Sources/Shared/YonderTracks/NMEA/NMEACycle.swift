/// Groups sentences into epochs, and learns which sentence comes last in an epoch.
///
/// A receiver sends one group of sentences after another, each for one moment. A new epoch begins with a
/// sentence of another time of day, or when the sentence that began the epoch repeats from the same talker (a
/// receiver without a time, or with a stopped clock). So the end of an epoch is certain only when the next
/// one begins, a second late.
///
/// To be in time, the cycle learns, much as gpsd does: the kind that came last before a new epoch probably
/// ends the next one, too. That epoch is then complete as soon as such a sentence has arrived, together with
/// every kind that the earlier epoch had. If that was wrong, and a relevant sentence comes late, the kind
/// must come last eight times more before it counts as the end again.
///
/// `NMEAReader` has one: it asks ``begins(with:from:at:)`` for each sentence, and delivers an epoch when ``take(_:at:)`` says
/// that it is complete, or when the next begins. Nothing fails; a wrong guess delivers an epoch without its last sentence,
/// which then counts as ``missed(_:)``. It must give the same for the same sentences, however bytes were cut. The score's
/// bounds decide how fast it learns, and may change (`NMEAEpochTests`, `NMEARecordedTests`).
struct NMEACycle {
    typealias Kind = NMEASentence.Kind

    /// The number of times each kind came last, from -8 to 1; a kind above zero ends an epoch.
    private var scores = SIMD16<Int8>()

    /// The kinds in the latest epoch that each kind ended, a bit for each.
    private var kindsBefore = SIMD16<UInt16>()

    /// The epoch's time of day in milliseconds, or `nil` if no sentence has given it yet.
    private(set) var time: Int?

    private var first: Kind?
    private var talker: UInt16 = 0
    private var last: Kind?

    /// The kinds of sentence in the epoch so far, a bit for each.
    private var kinds: UInt16 = 0

    /// The kind that ended the epoch before the next one began.
    private var endedBy: Kind?

    /// Whether an epoch has begun and not ended.
    var isOpen: Bool { first != nil && endedBy == nil }

    /// Whether the epoch has ended, so that further sentences of it are late.
    var hasEnded: Bool { endedBy != nil }

    /// Whether a sentence is the first of a new epoch; one without a time fits any.
    func begins(with kind: Kind, from talker: UInt16, at time: Int?) -> Bool {
        guard let first else { return true }
        if let time, let current = self.time, time != current { return true }
        return kind == first && talker == self.talker
    }

    /// Begins a new epoch, and records the last kind of the previous one.
    mutating func begin(with kind: Kind, from talker: UInt16, at time: Int?) {
        if let last {
            change(last, by: 1)
            kindsBefore[Int(last.rawValue)] = kinds
        }
        (first, self.talker, self.time) = (kind, talker, time)
        (last, endedBy, kinds) = (nil, nil, 0)
    }

    /// Adds a sentence to the epoch.
    ///
    /// - Returns: Whether the sentence probably completes the epoch.
    mutating func take(_ kind: Kind, at time: Int?) -> Bool {
        last = kind
        self.time = self.time ?? time
        kinds |= 1 << UInt16(kind.rawValue)
        let index = Int(kind.rawValue)
        guard scores[index] > 0, kindsBefore[index] & ~kinds == 0 else { return false }
        endedBy = kind
        return true
    }

    /// Records that a relevant sentence came after the epoch's end.
    mutating func missed(_ kind: Kind) {
        if let endedBy { change(endedBy, by: -9) }
        last = kind
        kinds |= 1 << UInt16(kind.rawValue)
    }

    /// Resets the epoch, but keeps what was learned.
    mutating func end() {
        (first, last, endedBy, time) = (nil, nil, nil, nil)
        kinds = 0
    }

    private mutating func change(_ kind: Kind, by amount: Int8) {
        let index = Int(kind.rawValue)
        scores[index] = min(1, max(-8, scores[index] + amount))
    }
}
