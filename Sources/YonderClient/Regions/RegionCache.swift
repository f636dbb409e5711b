public import YonderGeodesy

/// Answers to region queries, kept for a while: bounded in number, the one unused for longest goes first, and in age.
///
/// An answer that lists everything in its region also answers for every region inside it, exactly. One that lists only
/// a part answers for its own region alone. Moments are durations since any one moment.
public struct RegionCache<Item: Locatable>: Sendable {
    private struct Key: Hashable {
        let source: String
        let region: Region
    }

    private struct Entry {
        let answer: RegionAnswer<Item>
        let time: Duration
        var use: Int
    }

    private let limit: Int
    private let age: Duration
    private var entries: [Key: Entry] = [:]
    private var uses = 0

    /// An empty cache.
    ///
    /// - Parameters:
    ///   - entries: How many answers are kept at most.
    ///   - age: For how long each is good.
    public init(entries: Int = 64, age: Duration = .seconds(300)) {
        limit = entries
        self.age = age
    }

    /// How many answers there are, those that are too old among them.
    public var count: Int { entries.count }

    /// Keeps an answer.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - source: What was asked, but for the region: an entity, and its conditions.
    ///   - now: When it came.
    public mutating func store(_ answer: RegionAnswer<Item>, from source: String, at now: Duration) {
        let key = Key(source: source, region: answer.region)
        entries[key] = nil
        guard limit > 0 else { return }
        entries = entries.filter { now - $0.value.time <= age }
        while entries.count >= limit, let oldest = entries.min(by: { $0.value.use < $1.value.use }) {
            entries[oldest.key] = nil
        }
        entries[key] = Entry(answer: answer, time: now, use: nextUse())
    }

    /// The newest answer that is exact for a region, or `nil`; it visits all that are kept.
    ///
    /// - Parameters:
    ///   - region: What is to be answered for.
    ///   - source: What is asked, but for the region.
    ///   - limit: How many are to be listed at most.
    ///   - now: What is too old by now doesn't answer.
    /// - Returns: The answer, cut to the region and the limit.
    public mutating func find(
        _ region: Region,
        from source: String,
        limit: Int,
        at now: Duration
    ) -> RegionAnswer<Item>? {
        let fitting = entries.filter { key, entry in
            key.source == source && now - entry.time <= age && entry.answer.answers(region, limit: limit)
        }
        let newest = fitting.max { ($0.value.time, $0.value.use) < ($1.value.time, $1.value.use) }
        guard let (key, entry) = newest else { return nil }
        let use = nextUse()
        entries[key]?.use = use
        return entry.answer.cut(to: region, limit: limit)
    }

    /// Forgets the answers to a source, because something was changed there; with `nil`, all.
    public mutating func forget(_ source: String? = nil) {
        entries = entries.filter { source != nil && $0.key.source != source }
    }

    private mutating func nextUse() -> Int {
        uses += 1
        return uses
    }
}

extension RegionAnswer {
    fileprivate func answers(_ region: Region, limit: Int) -> Bool {
        isComplete ? self.region.contains(region) : self.region == region && items.count >= limit
    }

    fileprivate func cut(to region: Region, limit: Int) -> RegionAnswer {
        var cut = self
        cut.limit = limit
        cut.isCached = true
        if isComplete {
            cut.region = region
            cut.items = items.filter { region.contains($0.coordinate) }
            cut.total = cut.items.count
        }
        cut.items = Array(cut.items.prefix(limit))
        return cut
    }
}
