public import Observation
public import YonderClient
public import YonderModel
import YonderRequests

/// Which kinds of places a server has, and the map of the chosen kind.
///
/// `PersonModels` makes it; the places' screen runs ``run()`` while it is shown, sets ``chosen``, and runs the model of
/// ``places``, on the main actor. Nothing throws: without an answer ``problem`` has the sentence, and the model asks again
/// after `wait`. Once known, kinds aren't asked for again until the next sign-in. The wait may change; only kinds with a
/// location are listed (`PlaceKindsModelTests`).
@MainActor @Observable
public final class PlaceKindsModel {
    /// A kind of places to choose.
    public struct Kind: Hashable, Sendable, Identifiable {
        /// The kind.
        public let id: EntityName

        /// What its places are called together.
        public let name: String
    }

    /// The kinds of places, by name; empty while they aren't known.
    public private(set) var kinds: [Kind] = []

    /// The chosen kind, the first one at first; `nil` while there is none.
    public var chosen: EntityName?

    /// Why the kinds aren't known, or `nil`.
    public private(set) var problem: String?

    /// How long the model waits before it asks the server again.
    static let wait = Duration.seconds(5)

    private var models: [EntityName: PlacesModel] = [:]
    private var entities: [EntityName: Entity] = [:]
    private var isKnown = false
    private let person: SignedInUser
    private let context: AppContext

    /// Creates the model of a server's places.
    public init(of person: SignedInUser, _ context: AppContext) {
        (self.person, self.context) = (person, context)
    }

    /// The map of the chosen kind, or `nil` while there is none.
    public var places: PlacesModel? { chosen.flatMap { models[$0] } }

    /// What stands in place of the map: that the places are being looked for, that there are none, or why not.
    public var text: String {
        problem ?? context.say(isKnown ? .placesNoneHere : .placesLooking)
    }

    /// Whether there are several kinds to choose from.
    public var offersChoice: Bool { kinds.count > 1 }

    /// What a screen of its own shows of a place.
    public func place(_ object: MapObject) -> PlaceModel {
        PlaceModel(object, of: entities[object.record.entity])
    }

    /// Asks for the kinds of places until the server answers.
    public func run() async {
        while !isKnown, !Task.isCancelled {
            do throws(SharingError) {
                take(try await person.requests.entities())
            } catch {
                problem = context.say(error)
                guard error.code == .unavailable else { return }
                try? await context.clock.sleep(for: Self.wait)
            }
        }
    }

    private func take(_ entities: [Entity]) {
        let places = entities.filter { $0.locationField != nil }
        for entity in places {
            self.entities[entity.name] = entity
            models[entity.name] = PlacesModel(of: entity, for: person, context)
        }
        kinds = places.map { Kind(id: $0.name, name: PlaceName($0).kind) }
        (isKnown, problem) = (true, nil)
        chosen = chosen ?? kinds.first?.id
    }
}
