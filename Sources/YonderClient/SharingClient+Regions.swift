public import YonderGeodesy
public import YonderModel
public import YonderWire

extension SharingClient {
    /// The objects of an entity in a part of the map, kept current.
    ///
    /// - Parameters:
    ///   - entity: Of which entity.
    ///   - field: The field that holds their location, or `nil` for the one that the entity has.
    ///   - region: Which part; ``RegionUpdates/move(to:)`` moves it.
    ///   - limit: How many are listed at most, in `0...1_000`. The total always counts all.
    /// - Returns: The updates. They end with `unknownEntity` for one that isn't there or may not be read, also if that
    ///   comes to be so later; `invalidField` for a limit that is none; with `tooMany` over 256 queries; with what
    ///   ended ``run()``.
    public func places(
        of entity: EntityName,
        field: FieldName? = nil,
        in region: Region,
        limit: Int = 300
    ) -> RegionUpdates<Place> {
        live(
            RegionList(region, limit: limit) { region in
                .objects(ObjectRegionQuery(entity, field: field, in: region, limit: limit))
            }
        )
    }

    /// The people in a part of the map with whom the caller shares a chat, kept current.
    ///
    /// Somebody is there once for each such chat, at their last position in it; the caller isn't.
    ///
    /// - Parameters:
    ///   - region: Which part; ``RegionUpdates/move(to:)`` moves it.
    ///   - limit: How many are listed at most, in `0...1_000`. The total always counts all.
    /// - Returns: The updates. They end as those of ``places(of:field:in:limit:)``.
    public func people(in region: Region, limit: Int = 300) -> RegionUpdates<RegionPerson> {
        live(RegionList(region, limit: limit) { .people(PeopleRegionQuery(in: $0, limit: limit)) })
    }

    /// The objects of an entity that are in a part of the map now.
    ///
    /// - Parameters:
    ///   - entity: Of which entity.
    ///   - field: The field that holds their location, or `nil` for the one that the entity has.
    ///   - region: Which part.
    ///   - limit: How many are listed at most, in `0...1_000`. The total always counts all.
    /// - Returns: What is there, and how many there are.
    /// - Throws: As ``places(of:field:in:limit:)`` ends; `unavailable` if the task is canceled. Without a connection it
    ///   waits for one.
    public func findPlaces(
        of entity: EntityName,
        field: FieldName? = nil,
        in region: Region,
        limit: Int = 300
    ) async throws(SharingError) -> RegionAnswer<Place> {
        try await first(places(of: entity, field: field, in: region, limit: limit))
    }

    /// The people with whom the caller shares a chat that are in a part of the map now.
    ///
    /// - Parameters:
    ///   - region: Which part.
    ///   - limit: How many are listed at most, in `0...1_000`. The total always counts all.
    /// - Returns: Who is there, and how many there are.
    /// - Throws: As ``findPlaces(of:field:in:limit:)``.
    public func findPeople(
        in region: Region,
        limit: Int = 300
    ) async throws(SharingError) -> RegionAnswer<RegionPerson> {
        try await first(people(in: region, limit: limit))
    }

    // MARK: -

    private func live<Item>(_ list: RegionList<Item>) -> RegionUpdates<Item> {
        guard RegionFrame.limits.contains(list.contents.limit) else {
            let error = SharingError(.invalidField, "limit is in 0…1000.")
            return RegionUpdates(updates: LiveUpdates { .failure(error) }) { _ in }
        }
        let (id, feed) = begin(list)
        let updates = feed.addReader { Task { await self.release(id) } }
        return RegionUpdates(updates: updates) { [weak feed] region in
            guard let feed else { return }
            await self.move(id, feed, to: region)
        }
    }

    private func move<Item>(_ id: Int64, _ feed: LiveFeed<RegionList<Item>>, to region: Region) {
        let move = feed.update { $0.move(to: region) }
        if let move { write(.move(id: id, step: move.step, region: move.region)) }
    }

    private func first<Item>(_ live: RegionUpdates<Item>) async throws(SharingError) -> RegionAnswer<Item> {
        var updates = live.makeAsyncIterator()
        while let update = try await updates.next() {
            if case .list(let contents) = update { return RegionAnswer(contents) }
        }
        throw SharingError(.unavailable, "The task was canceled.")
    }
}
