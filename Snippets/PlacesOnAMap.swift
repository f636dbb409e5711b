// Fills the visible part of a map with places, live, and keeps the selected one while the map is dragged.

import YonderClient
import YonderGeodesy
import YonderModel

// snippet.view
/// The operations that this sample needs of your platform's map view.
@MainActor protocol PlacesView: AnyObject {
    func add(_ objects: [ObjectAnnotation])
    func move(_ objects: [ObjectAnnotation])
    func change(_ objects: [ObjectAnnotation])
    func remove(_ ids: [String])
    func say(_ text: String)
}
// snippet.end

// snippet.layer
/// The places of one entity on a map, for as long as ``show(in:)`` runs.
@MainActor final class PlacesLayer {
    private let objects: RegionUpdates<MapObject>
    private let view: any PlacesView
    private var contents = RegionContents<MapObject>()
    private var map = MapModel()

    init(_ objects: RegionUpdates<MapObject>, on view: any PlacesView) {
        self.objects = objects
        self.view = view
    }

    /// Shows the list, then each change.
    func show() async throws {
        for try await update in objects {
            contents.apply(update)
            draw()
        }
    }

    /// The user has dragged the map.
    func look(at region: Region) async {
        await objects.move(to: region)
    }

    /// The user has touched an annotation, or none.
    func select(_ id: String?) {
        map.select(id)
        contents.hold(map.selectedObject?.subject.id)
    }

    private func draw() {
        let annotations = contents.shown.values.map { object in
            ObjectAnnotation(object, title: FieldName("name").flatMap(object.text))
        }
        let changes = map.show(objects: annotations).objects
        view.remove(changes.removed)
        view.add(changes.added)
        view.change(changes.changed)
        view.move(changes.moved)
        view.say("\(contents.items.count) of \(contents.total)")
    }
}

@MainActor func cafes(_ yonder: SharingClient, in region: Region, on view: any PlacesView) async
    -> PlacesLayer?
{
    guard let cafe = EntityName("cafe") else { return nil }
    return await PlacesLayer(yonder.objects(of: cafe, in: region), on: view)
}
// snippet.end

// snippet.browser
/// The same without live changes: asks when the map rests, and shows cached answers where they are exact.
func browse(_ yonder: SharingClient, _ entity: EntityName) -> RegionBrowser<MapObject> {
    var settings = RegionQuerySettings()
    settings.policy = .localOrRemote
    settings.padding = 0.25
    return RegionBrowser(RegionQuery(source: entity.description, settings: settings)) {
        region,
        limit throws(SharingError) in
        try await yonder.findObjects(of: entity, in: region, limit: limit)
    }
}
// snippet.end
