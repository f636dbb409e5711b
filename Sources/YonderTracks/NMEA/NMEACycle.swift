/// Says which sentences belong to one epoch, and learns which comes last in it.
///
/// A receiver sends one group of sentences after another, each about one moment. A new epoch begins with a sentence
/// of another time of day, or when the one that began the epoch comes again from the same talker (a receiver without
/// a time, or whose clock stands still). So an epoch's end shows only when the next has begun, a second late.
///
/// To be in time the cycle learns, much as gpsd does: the kind that came last before a new epoch probably ends the
/// next one, too, and then that is complete as soon as such a sentence is there, and of every kind that there was
/// before. If it was wrong, and a sentence that matters comes late, that kind must come last eight times more
/// before it is believed again.
struct NMEACycle {
    typealias Kind = NMEASentence.Kind

    /// How often each kind came last, from -8 to 1; what is above zero ends an epoch.
    private var scores = SIMD16<Int8>()

    /// Which kinds there were, a bit for each, in the latest epoch that each kind ended.
    private var kindsBefore = SIMD16<UInt16>()

    /// The time of day that the epoch is about, in milliseconds, if any of its sentences said it.
    private(set) var time: Int?

    private var first: Kind?
    private var talker: UInt16 = 0
    private var last: Kind?

    /// The kinds that there were in the epoch, a bit for each.
    private var kinds: UInt16 = 0

    /// Which kind ended the epoch before the next one began.
    private var endedBy: Kind?

    /// Whether there is an epoch that hasn't ended.
    var isOpen: Bool { first != nil && endedBy == nil }

    /// Whether the epoch has ended, and what belongs to it comes late.
    var hasEnded: Bool { endedBy != nil }

    /// Whether a sentence is the first of a new epoch; one without a time fits any.
    func begins(with kind: Kind, from talker: UInt16, at time: Int?) -> Bool {
        guard let first else { return true }
        if let time, let current = self.time, time != current { return true }
        return kind == first && talker == self.talker
    }

    /// Begins a new epoch, and remembers what came last in the one before.
    mutating func begin(with kind: Kind, from talker: UInt16, at time: Int?) {
        if let last {
            change(last, by: 1)
            kindsBefore[Int(last.rawValue)] = kinds
        }
        (first, self.talker, self.time) = (kind, talker, time)
        (last, endedBy, kinds) = (nil, nil, 0)
    }

    /// Takes a sentence into the epoch.
    ///
    /// - Returns: Whether it completes the epoch, as far as one knows.
    mutating func take(_ kind: Kind, at time: Int?) -> Bool {
        last = kind
        self.time = self.time ?? time
        kinds |= 1 << UInt16(kind.rawValue)
        let index = Int(kind.rawValue)
        guard scores[index] > 0, kindsBefore[index] & ~kinds == 0 else { return false }
        endedBy = kind
        return true
    }

    /// Notes that a sentence which mattered came after the epoch's end.
    mutating func missed(_ kind: Kind) {
        if let endedBy { change(endedBy, by: -9) }
        last = kind
        kinds |= 1 << UInt16(kind.rawValue)
    }

    /// Forgets the epoch but not what was learned.
    mutating func end() {
        (first, last, endedBy, time) = (nil, nil, nil, nil)
        kinds = 0
    }

    private mutating func change(_ kind: Kind, by amount: Int8) {
        let index = Int(kind.rawValue)
        scores[index] = min(1, max(-8, scores[index] + amount))
    }
}
