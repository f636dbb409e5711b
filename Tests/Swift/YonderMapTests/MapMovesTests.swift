import Testing
import YonderClient
import YonderGeodesy

@testable import YonderMap

@Suite struct MapMovesTests {
    private func frame(_ latitude: Double, _ longitude: Double) -> MapMoves.Frame {
        MapMoves.Frame(center: place(latitude, longitude), height: 1, width: 1)
    }

    /// The moves of a view, called as a driver calls them.
    private final class Moves {
        private var value = MapMoves()

        func take(_ look: MapLook?) -> MapLook.Target? { value.take(look) }
        func willMove(to place: Coordinate) { value.willMove(to: place) }
        func didBegin() { value.didBegin() }
        func goesOn(_ frame: MapMoves.Frame) -> Bool { value.goesOn(frame) }
        func didEnd(_ frame: MapMoves.Frame) -> Bool { value.didEnd(frame) }
    }

    /// Moves at rest at 47° N, 9° E.
    private var resting: Moves {
        let moves = Moves()
        moves.didBegin()
        _ = moves.didEnd(frame(47, 9))
        return moves
    }

    @Test func `a look is taken once, and again when its number differs`() {
        let moves = Moves()
        #expect(moves.take(nil) == nil)
        #expect(moves.take(MapLook(.center(place(1, 2)), number: 1)) == .center(place(1, 2)))
        #expect(moves.take(MapLook(.center(place(1, 2)), number: 1)) == nil)
        #expect(moves.take(MapLook(.center(place(1, 2)), number: 2)) == .center(place(1, 2)))
    }

    @Test func `the first rest of a view is no move by hand`() {
        let moves = Moves()
        moves.didBegin()
        #expect(!moves.didEnd(frame(47, 9)))
    }

    @Test func `a move to another middle is by hand, and is reported while it runs and not at its end`() {
        let moves = resting
        moves.didBegin()
        #expect(!moves.goesOn(frame(47.001, 9)))
        #expect(moves.goesOn(frame(47.2, 9)))
        #expect(!moves.goesOn(frame(47.4, 9)))
        #expect(!moves.didEnd(frame(47.5, 9)))
        moves.didBegin()
        #expect(moves.didEnd(frame(47.9, 9)))
    }

    @Test func `a move to where the app asked isn't by hand`() {
        let moves = resting
        moves.willMove(to: place(48, 10))
        moves.didBegin()
        #expect(!moves.goesOn(frame(47.5, 9.5)))
        #expect(!moves.didEnd(frame(48, 10)))
    }

    @Test func `the end of a move that the next one cuts short isn't by hand`() {
        let moves = resting
        moves.willMove(to: place(48, 10))
        moves.didBegin()
        moves.willMove(to: place(49, 11))
        #expect(!moves.didEnd(frame(47.5, 9.5)))
        moves.didBegin()
        #expect(!moves.didEnd(frame(49, 11)))
    }

    @Test func `a finger that cuts the app's move short is by hand`() {
        let moves = resting
        moves.willMove(to: place(48, 10))
        moves.didBegin()
        #expect(moves.didEnd(frame(47.5, 9.5)))
    }

    @Test func `a look that moved nothing hides no later move by hand`() {
        let moves = resting
        moves.willMove(to: place(47, 9))
        moves.didBegin()
        #expect(moves.didEnd(frame(47.5, 9)))
    }

    @Test func `another zoom and another size around the same middle are no moves by hand`() {
        let moves = resting
        moves.didBegin()
        #expect(!moves.didEnd(MapMoves.Frame(center: place(47, 9), height: 8, width: 3)))
    }

    @Test func `a middle on the other side of the antimeridian is near`() {
        let frame = MapMoves.Frame(center: place(0, 179.999), height: 1, width: 1)
        #expect(frame.isCentered(at: place(0, -179.999)))
        #expect(!frame.isCentered(at: place(0, -179.9)))
    }
}
