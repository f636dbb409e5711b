import YonderClient
import YonderGeodesy

/// Decides which moves of a map view were made by hand, and when a look moves the view.
///
/// MapKit reports each move with the same two calls, also those that the app asked for. A move is by hand if the middle of the map
/// has moved, and not to where the app asked the view to look. Zooming, and another size of the view, leave the middle in place.
///
/// `MapDriver` has one and calls it for MapKit's reports and its own moves, on the main actor. It can't fail; a report that
/// doesn't fit counts as by hand or as nothing. A wrong *by hand* would end following a person, a missed one would pull the
/// map from under the finger (`MapMovesTests`). The fiftieth of the view may change.
struct MapMoves: Hashable, Sendable {
    /// The middle of a map view and how many degrees the view shows.
    struct Frame: Hashable, Sendable {
        /// The middle of the view.
        var center: Coordinate

        /// The degrees of latitude in view.
        var height: Double

        /// The degrees of longitude in view.
        var width: Double

        /// Whether the middle is at a place, up to a fiftieth of the view.
        func isCentered(at place: Coordinate) -> Bool {
            let east = (center.longitude - place.longitude).remainder(dividingBy: 360)
            return abs(center.latitude - place.latitude) <= height / 50 && abs(east) <= width / 50
        }
    }

    private enum Move: Hashable {
        /// The app has asked for a move to this place, and MapKit hasn't begun it.
        case asked(Coordinate)
        /// MapKit moves the view to the place for which the app asked.
        case moving(Coordinate)
    }

    private var number: Int?
    private var move: Move?
    private var center: Coordinate?

    /// Whether the present move was reported.
    private var isReported = false

    /// Takes a look, and returns where to look if the look is a new one.
    mutating func take(_ look: MapLook?) -> MapLook.Target? {
        guard let look, look.number != number else { return nil }
        number = look.number
        return look.target
    }

    /// Call this before the app moves the view so that this place is in the middle.
    mutating func willMove(to place: Coordinate) {
        move = .asked(place)
    }

    /// Call this when MapKit begins a move.
    mutating func didBegin() {
        isReported = false
        if case .asked(let place) = move { move = .moving(place) }
    }

    /// Call this while a move runs.
    ///
    /// - Returns: Whether the move is by hand and wasn't reported yet.
    mutating func goesOn(_ frame: Frame) -> Bool {
        guard move == nil, !isReported, let center, !frame.isCentered(at: center) else { return false }
        isReported = true
        return true
    }

    /// Call this when MapKit has ended a move.
    ///
    /// - Returns: Whether the move is by hand and wasn't reported yet.
    mutating func didEnd(_ frame: Frame) -> Bool {
        defer {
            center = frame.center
            isReported = false
        }
        switch move {
        case .asked:
            // The end of a move that the app's next one has cut short.
            return false
        case .moving(let place):
            move = nil
            return !frame.isCentered(at: place)
        case nil:
            return goesOn(frame)
        }
    }
}
