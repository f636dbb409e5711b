import YonderClient
import YonderGeodesy

/// What a map draws: pins and lines by their identities.
///
/// `PeopleMap` makes one at each drawing, `MapDriver` at each update, and applies ``changes(from:)``. It can't fail. Ids are
/// those of `MapAnnotations`; that a pin in both drawings is *moved* or *changed*, and never removed and added, keeps
/// selection and animation (decision 14, `MapDrawingTests`). Orders by id keep SwiftUI from drawing anew.
struct MapDrawing: Hashable, Sendable {
    /// The changes that a map view applies.
    struct Changes: Hashable, Sendable {
        /// The pins that a map view adds.
        var added: [DrawnPin] = []

        /// The pins that keep their look and are elsewhere.
        var moved: [DrawnPin] = []

        /// The pins that look different, and may be elsewhere, too.
        var changed: [DrawnPin] = []

        /// The ids of the pins that a map view removes.
        var removed: [String] = []

        /// The lines that are new or different.
        var lines: [DrawnLine] = []

        /// The ids of the lines that a map view removes.
        var removedLines: [String] = []
    }

    /// The pins by their ids.
    private(set) var pins: [String: DrawnPin] = [:]

    /// The lines by their persons' ids.
    private(set) var lines: [String: DrawnLine] = [:]

    /// An empty drawing.
    init() {}

    /// Draws the content of a map.
    ///
    /// A label that is empty gives way to the item's own name, as does a missing `label`. `label` isn't called for stops, of which there
    /// are thousands: a map view calls it for those in view.
    init(_ annotations: MapAnnotations, _ settings: PeopleMapSettings, label: ((String) -> String)? = nil) {
        let hue = settings.hue.map(PersonColor.init(hue:))
        let own = settings.showsOwnPlace ? settings.ownPin : nil
        let people = annotations.pins.values.filter { $0.id != own }.map(MapItem.person)
        let stops = annotations.stops.values.map(MapItem.stop)
        for item in people { pins[item.id] = DrawnPin(item, label, color: hue) }
        for item in stops { pins[item.id] = DrawnPin(item, nil, color: hue) }
        for object in annotations.objects.values {
            pins[object.id] = DrawnPin(.object(object), label, color: nil)
        }
        for line in annotations.lines.values where line.points.count > 1 {
            lines[line.id] = DrawnLine(id: line.id, points: line.points, color: hue ?? line.color)
        }
    }

    /// The pins of one kind, in the order of their ids.
    func pins(_ kind: MapKind) -> [DrawnPin] {
        pins.values.filter { $0.kind == kind }.sorted { $0.id < $1.id }
    }

    /// The lines, in the order of their ids.
    var sortedLines: [DrawnLine] { lines.values.sorted { $0.id < $1.id } }

    /// The changes that lead from an older drawing to this one, in the order of ids.
    func changes(from older: MapDrawing) -> Changes {
        let pins = KeyedChanges(from: older.pins, to: pins) { $1.looks(like: $0) }
        let lines = KeyedChanges(from: older.lines, to: lines)
        return Changes(
            added: pins.added.sorted { $0.id < $1.id },
            moved: pins.moved.sorted { $0.id < $1.id },
            changed: pins.changed.sorted { $0.id < $1.id },
            removed: pins.removed.sorted(),
            lines: (lines.added + lines.changed).sorted { $0.id < $1.id },
            removedLines: lines.removed.sorted()
        )
    }
}

extension DrawnPin {
    fileprivate init(_ item: MapItem, _ label: ((String) -> String)?, color: PersonColor?) {
        self.init(item: item, label: item.text(label), color: color ?? item.color)
    }

    /// What VoiceOver reads for the pin.
    func spoken(_ label: ((String) -> String)?) -> String {
        kind == .stop ? item.text(label) : self.label
    }
}

extension MapItem {
    /// The app's text for the item, or the item's name.
    fileprivate func text(_ label: ((String) -> String)?) -> String {
        let text = label?(id) ?? ""
        return text.isEmpty ? name ?? "" : text
    }
}
