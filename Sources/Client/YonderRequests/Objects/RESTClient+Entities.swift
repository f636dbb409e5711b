import YonderLink
public import YonderModel

// The entities of a server: what kinds of objects its map has. `PlaceKindsModel` and apps call these, from any task. Beside
// the errors named they throw what every call does (`RESTClient`). The forms are those of `Entity+JSON.swift`
// (`RESTClientTests`).
extension RESTClient {
    /// The entities that the person may read, by name.
    public func entities() async throws(SharingError) -> [Entity] {
        try await objectsAnswer("/v1/entities").all("entities", ObjectsAnswer.entity)
    }

    /// One entity.
    ///
    /// - Throws: `unknownEntity`, also for one that the person may not read.
    public func entity(_ name: EntityName) async throws(SharingError) -> Entity {
        try await objectsAnswer("/v1/entities/\(name)").one("entity", ObjectsAnswer.entity)
    }

    func objectsAnswer(_ path: String, limit: Int = LinkRequest.jsonLimit) async throws(SharingError)
        -> ObjectsAnswer
    {
        try ObjectsAnswer(try await answer(to: LinkRequest(.get, path, limit: limit)).body)
    }
}
