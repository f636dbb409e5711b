public import YonderGeodesy
public import YonderModel
public import YonderWire

// Live regions, for apps and `PlacesModel`, from any task, also before a connection. A refusal ends the updates with its
// code; a lost connection doesn't, and the list stays until the new one is there. How a list is kept current is decided in
// `RegionList` (decision 9, `RegionTests`). The limit of items is the server's, and is checked here so that a mistake shows
// without a connection.
// The default of 300 may change.
extension SharingClient {
    /// The objects of an entity in a region, kept current.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - field: The field that holds the location, or `nil` for the entity's only one.
    ///   - region: The region; ``RegionUpdates/move(to:)`` moves it.
    ///   - limit: The most items listed, in `0...1_000`. The total always counts every item.
    /// - Returns: The updates. They end with `unknownEntity` if the entity doesn't exist or the caller may
    ///   not read it, now or later; `invalidField` for a limit out of range; the error that ended ``run()``. Over
    ///   256 queries, they begin when another has ended.
    public func objects(
        of entity: EntityName,
        field: FieldName? = nil,
        in region: Region,
        limit: Int = 300
    ) -> RegionUpdates<MapObject> {
        live(
            RegionList(region, limit: limit) { region in
                .objects(ObjectRegionQuery(entity, field: field, in: region, limit: limit))
            }
        )
    }

    /// The people in a region with whom the caller shares a chat, kept current.
    ///
    /// A person is listed once for each shared chat, at the last position there; the caller isn't listed.
    ///
    /// - Parameters:
    ///   - region: The region; ``RegionUpdates/move(to:)`` moves it.
    ///   - limit: The most people listed, in `0...1_000`. The total always counts everyone.
    /// - Returns: The updates. They end as those of ``objects(of:field:in:limit:)``.
    public func people(in region: Region, limit: Int = 300) -> RegionUpdates<RegionPerson> {
        live(RegionList(region, limit: limit) { .people(PeopleRegionQuery(in: $0, limit: limit)) })
    }

    /// Returns the objects of an entity that are in a region now.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - field: The field that holds the location, or `nil` for the entity's only one.
    ///   - region: The region.
    ///   - limit: The most items listed, in `0...1_000`. The total always counts every item.
    /// - Returns: The objects listed, and the total.
    /// - Throws: The errors with which ``objects(of:field:in:limit:)`` ends; `unavailable` if the task is
    ///   canceled. Without a connection, the call waits for one.
    public func findObjects(
        of entity: EntityName,
        field: FieldName? = nil,
        in region: Region,
        limit: Int = 300
    ) async throws(SharingError) -> RegionAnswer<MapObject> {
        try await first(objects(of: entity, field: field, in: region, limit: limit))
    }

    /// Returns the people in a region now with whom the caller shares a chat.
    ///
    /// - Parameters:
    ///   - region: The region.
    ///   - limit: The most people listed, in `0...1_000`. The total always counts everyone.
    /// - Returns: The people listed, and the total.
    /// - Throws: As ``findObjects(of:field:in:limit:)``.
    public func findPeople(
        in region: Region,
        limit: Int = 300
    ) async throws(SharingError) -> RegionAnswer<RegionPerson> {
        try await first(people(in: region, limit: limit))
    }

    // MARK: -

    private func live<Item>(_ list: RegionList<Item>) -> RegionUpdates<Item> {
        guard RegionFrame.limits.contains(list.contents.limit) else {
            let error = SharingError(.invalidField, "limit must be in 0…1000; it is \(list.contents.limit).")
            return RegionUpdates(updates: LiveUpdates { .failure(error) }) { _ in }
        }
        return watch(list)
    }

    private func first<Item>(_ live: RegionUpdates<Item>) async throws(SharingError) -> RegionAnswer<Item> {
        var updates = live.makeAsyncIterator()
        while let update = try await updates.next() {
            if case .list(let contents) = update { return RegionAnswer(contents) }
        }
        throw SharingError(.unavailable, "The task was canceled.")
    }
}
