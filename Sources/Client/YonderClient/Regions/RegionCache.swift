public import YonderGeodesy

/// A cache of answers to region queries, bounded in number and age; the least recently used answer is evicted
/// first.
///
/// An answer that lists every item in its region also answers exactly for every region inside it. An
/// incomplete answer is used for its own region alone. Times are durations since any fixed moment.
///
/// `RegionQuery` keeps one and asks it before it asks the server; `RegionBrowser.forget()`, and an app that has changed
/// objects, call ``forget(_:)``. It can't fail: no answer means that the server must be asked. An answer must be exact for
/// the region that was asked for, or it isn't given, as a map would show a wrong total; the page has the same cache
/// (`RegionQueryFixtureTests`). The defaults of number and age may change.
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

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - entries: The most answers kept.
    ///   - age: The time for which an answer is valid.
    public init(entries: Int = 64, age: Duration = .seconds(300)) {
        limit = entries
        self.age = age
    }

    /// The number of answers, expired ones included.
    public var count: Int { entries.count }

    /// Stores an answer.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - source: The query without its region: an entity and the conditions.
    ///   - now: The time of arrival.
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

    /// Returns the newest answer that is exact for a region, or `nil`; examines all answers kept.
    ///
    /// - Parameters:
    ///   - region: The region to answer for.
    ///   - source: The query without its region.
    ///   - limit: The most items to list.
    ///   - now: The present time, by which expired answers are ignored.
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

    /// Removes the answers to a source after a change; with `nil`, all answers.
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
