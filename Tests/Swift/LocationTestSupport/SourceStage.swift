public import TestSupport
public import YonderGeodesy
public import YonderLocation

/// A source under test, together with the world outside of it.
public struct SourceStage: Sendable {
    /// The source, which isn't started and has no receiver.
    public let source: any LocationSource

    /// Makes one new position known outside, which the source tells if it is started, and never tells if not.
    ///
    /// It answers where that is, at least ten meters from every other one. A started source need not have told it
    /// when this returns; given while the source is connecting, it is told once it has connected.
    public let givePosition: @Sendable () async throws -> Coordinate

    /// Makes the source end for good, or `nil` if it never ends.
    public let end: (@Sendable () async throws -> Void)?

    /// What the source told.
    public let events = Recorder<LocationSourceEvent>()

    /// Creates a stage.
    public init(
        source: any LocationSource,
        givePosition: @escaping @Sendable () async throws -> Coordinate,
        end: (@Sendable () async throws -> Void)? = nil
    ) {
        self.source = source
        self.givePosition = givePosition
        self.end = end
    }

    /// The positions that the source told.
    var positions: [Position] {
        Self.positions(of: events.values)
    }

    /// Waits until the source has told a position.
    func wait(for coordinate: Coordinate) async {
        await events.wait { Self.positions(of: $0).contains { Self.is($0, at: coordinate) } }
    }

    /// Waits until the source has told so many positions.
    func wait(forPositions count: Int) async {
        await events.wait { Self.positions(of: $0).count >= count }
    }

    /// How many times the source has told a position.
    func count(of coordinate: Coordinate) -> Int {
        positions.count { Self.is($0, at: coordinate) }
    }

    /// Gives a position and waits until the source has told it.
    @discardableResult func move() async throws -> Coordinate {
        let coordinate = try await givePosition()
        await wait(for: coordinate)
        return coordinate
    }

    private static func `is`(_ position: Position, at coordinate: Coordinate) -> Bool {
        position.coordinate.distance(to: coordinate) < .meters(5)
    }

    /// Waits until the source has told so many times that it has ended.
    func wait(forEnds count: Int) async {
        await events.wait { events in events.count(where: Self.isEnd) >= count }
    }

    private static func positions(of events: [LocationSourceEvent]) -> [Position] {
        events.flatMap { event -> [Position] in
            if case .positions(let positions) = event { positions } else { [] }
        }
    }

    private static func isEnd(_ event: LocationSourceEvent) -> Bool {
        if case .failure(let error) = event { error.code == .sourceEnded } else { false }
    }
}
