import Foundation
import YonderClient
import YonderGeodesy
import YonderModel
import YonderRequests
import YonderWire

/// What a map draws of all positions of a chat: a line through each person's positions, and a stop at each that is in view.
///
/// A native map can't draw 200 000 of each. Where there are more, a stop stands for the positions of a small square, as the newest of
/// them, and a line leaves out positions near the one before; nearer zooms have each of them.
///
/// `AllPositions` makes one after each change of positions, view or selection, off the main actor, as it takes up to a tenth
/// of a second. It can't fail: without positions it is empty. The limits may change with what a phone's map can draw. Ids
/// must stay those of `MapAnnotations`, and the selected position must keep its stop (`PositionPictureTests`, decision 14).
struct PositionPicture: Hashable, Sendable {
    /// The most stops.
    static let stopsAtMost = 1_000

    /// The most points of all lines together.
    static let pointsAtMost = 20_000

    /// How many squares the view is high, at the finest: a phone's map is about 800 points high, and stops that are nearer than two
    /// look like one.
    private static let squares = 400.0

    /// A line a person, by ``MapLine/id``.
    private(set) var lines: [String: MapLine] = [:]

    /// The stops, by ``MapPin/id``.
    private(set) var stops: [String: MapPin] = [:]

    /// An empty picture.
    init() {}

    /// Draws positions.
    ///
    /// - Parameters:
    ///   - positions: The positions, in the order of their numbers; those of people who aren't participants are left out.
    ///   - chat: Gives names and colors.
    ///   - view: What the map shows, or `nil` for everything.
    ///   - kept: The selected stop's id: its position has a stop of its own.
    init(of positions: [HeldPosition], in chat: NamedChat, view: Region?, keeping kept: String? = nil) {
        let colors = chat.colors
        let shown = positions.filter { colors[$0.sender] != nil }
        guard let plane = Plane(view ?? Region(fitting: shown.map(\.coordinate))) else { return }
        lines = Self.paths(of: shown, on: plane).reduce(into: [:]) { lines, path in
            guard let color = colors[path.key] else { return }
            let id = path.key.description
            lines[id] = MapLine(id: id, points: path.value.map(\.coordinate), color: color)
        }
        let inView = shown.filter { view?.contains($0.coordinate) ?? true || Self.id(of: $0) == kept }
        for position in Self.thinned(inView, on: plane, keeping: kept) {
            guard let color = colors[position.sender] else { continue }
            let (id, user) = (Self.id(of: position), chat.users[position.sender])
            stops[id] = MapPin(
                id: id,
                coordinate: position.coordinate,
                time: position.time,
                color: color,
                name: user?.name,
                email: user?.email
            )
        }
    }

    /// The id of a position's stop, as ``MapAnnotations/stops`` has it.
    static func id(of position: HeldPosition) -> String { "\(position.sender)/\(position.number)" }

    /// The newest position of each square, in squares so large that there are few enough.
    private static func thinned(_ positions: [HeldPosition], on plane: Plane, keeping kept: String?)
        -> [HeldPosition]
    {
        var size = plane.height / squares
        while true {
            var squares: Set<Square> = []
            let newest = positions.reversed().filter {
                squares.insert(plane.square(of: $0.coordinate, size)).inserted || id(of: $0) == kept
            }
            if newest.count <= stopsAtMost + 1 { return newest }
            size *= 2
        }
    }

    /// The positions of each person in the order of their times, without those too near the one before.
    private static func paths(of positions: [HeldPosition], on plane: Plane) -> [UserID: [HeldPosition]] {
        let people = Dictionary(grouping: positions, by: \.sender).mapValues { positions in
            positions.sorted { ($0.time, $0.number) < ($1.time, $1.number) }
        }
        // A person has at least two points, however many people there are.
        let most = max(pointsAtMost, 2 * people.count)
        var step = positions.count <= most ? 0 : plane.height / squares
        while true {
            let paths = people.mapValues { plane.path($0, step) }
            if paths.values.reduce(0, { $0 + $1.count }) <= most { return paths }
            step *= 2
        }
    }
}

/// A square of a map.
private struct Square: Hashable {
    let row: Int
    let column: Int
}

/// Degrees around a view, in which a degree of longitude is as long as it is in the view's middle.
private struct Plane {
    /// The height of the view in degrees, more than 0.
    let height: Double

    private let ratio: Double

    init?(_ view: Region?) {
        guard let view else { return nil }
        height = max(view.north - view.south, 1e-5)
        // Near a pole the squares stay narrow.
        ratio = max(0.01, cos(view.center.latitude / 180 * .pi))
    }

    func square(of place: Coordinate, _ size: Double) -> Square {
        Square(
            row: Int((place.latitude / size).rounded(.down)),
            column: Int((place.longitude * ratio / size).rounded(.down))
        )
    }

    /// The first and the last position, and between them each that is at least `step` away from the one before.
    func path(_ positions: [HeldPosition], _ step: Double) -> [HeldPosition] {
        guard step > 0, var last = positions.first else { return positions }
        var path = [last]
        for position in positions.dropFirst() where distance(last.coordinate, position.coordinate) >= step {
            path.append(position)
            last = position
        }
        if let end = positions.last, end.number != last.number { path.append(end) }
        return path
    }

    private func distance(_ one: Coordinate, _ other: Coordinate) -> Double {
        let across = (one.longitude - other.longitude).remainder(dividingBy: 360) * ratio
        return max(abs(one.latitude - other.latitude), abs(across))
    }
}
