import TestSupport
import Testing
import YonderClient
import YonderGeodesy
import YonderModel
import YonderRequests
import YonderWire

@testable import YonderAppModels

@Suite struct PositionPictureTests {
    private let people = (1...5).compactMap { UserID(Int64($0)) }

    /// A chat of all people but the last.
    private var chat: NamedChat {
        let participants = people.dropLast().map {
            Participant(user: $0, role: .member, color: 0, spans: [])
        }
        let chat = Chat(
            id: .random(),
            isOneToOne: false,
            subject: "",
            participants: participants,
            created: Timestamp(milliseconds: 0)
        )
        return NamedChat(chat, users: Dictionary(people.map { ($0, User(id: $0, name: "N")) }) { $1 })
    }

    /// Walks of all people, whose positions arrive in another order than their times.
    private func positions(_ count: Int, _ seed: UInt64) -> [HeldPosition] {
        var random = SeededGenerator(seed: seed)
        var places: [UserID: (Double, Double)] = [:]
        return (1...count).compactMap { number in
            guard let person = people.randomElement(using: &random) else { return nil }
            var place = places[person] ?? (Double.random(in: -60...60, using: &random), 179.9)
            place.0 += Double.random(in: -0.001...0.001, using: &random)
            place.1 += Double.random(in: -0.001...0.001, using: &random)
            places[person] = place
            return Coordinate(latitude: place.0, longitude: place.1).map {
                HeldPosition(
                    number: Int64(number),
                    sender: person,
                    coordinate: $0,
                    time: Timestamp(milliseconds: Int64(number) + Int64.random(in: -50...50, using: &random))
                )
            }
        }
    }

    @Test func `each participant's line has the first and the last position, and few enough points`() {
        for seed in UInt64(0)..<10 {
            let positions = positions(seed == 0 ? 30_000 : 500, seed)
            let picture = PositionPicture(of: positions, in: chat, view: nil)
            #expect(picture.lines.count == 4, "seed \(seed)")
            for person in people.dropLast() {
                let walk = positions.filter { $0.sender == person }.sorted {
                    ($0.time, $0.number) < ($1.time, $1.number)
                }
                let line = picture.lines[person.description]
                #expect(line?.points.first == walk.first?.coordinate, "seed \(seed)")
                #expect(line?.points.last == walk.last?.coordinate, "seed \(seed)")
                #expect(seed == 0 || line?.points.count == walk.count, "seed \(seed)")
            }
            let points = picture.lines.values.reduce(0) { $0 + $1.points.count }
            #expect(points <= PositionPicture.pointsAtMost, "seed \(seed)")
        }
    }

    @Test func `where there are too many, stops are the newest of their squares, and the selected one stays`()
        throws
    {
        var random = SeededGenerator(seed: 0)
        let positions = (1...30_000).compactMap { number in
            Coordinate(
                latitude: .random(in: 47...48, using: &random),
                longitude: .random(in: 9...10, using: &random)
            ).map {
                HeldPosition(
                    number: number,
                    sender: people[0],
                    coordinate: $0,
                    time: Timestamp(milliseconds: number)
                )
            }
        }
        let selected = PositionPicture.id(of: positions[0])
        let picture = PositionPicture(of: positions, in: chat, view: nil, keeping: selected)
        #expect(picture.stops.count <= PositionPicture.stopsAtMost + 1 && picture.stops.count > 100)
        #expect(picture.stops[selected]?.coordinate == positions[0].coordinate)
        #expect(picture.stops[PositionPicture.id(of: try #require(positions.last))] != nil)
        #expect(PositionPicture(of: positions, in: chat, view: nil).stops[selected] == nil)
    }

    @Test func `near enough each position in view has a stop, also across the antimeridian`() throws {
        for seed in UInt64(0)..<20 {
            let positions = positions(2_000, seed).filter { $0.sender != people.last }
            let place = try #require(positions.randomElement())
            let view = Region(around: place.coordinate, radius: .meters(60))
            let inView = positions.filter { view.contains($0.coordinate) }
            let picture = PositionPicture(of: positions, in: chat, view: view)
            #expect(picture.stops.values.allSatisfy { view.contains($0.coordinate) }, "seed \(seed)")
            let shown = Set(picture.stops.keys)
            for position in inView where !shown.contains(PositionPicture.id(of: position)) {
                // Another one stands at the same point of the screen: it is less than a square away.
                let isCovered = picture.stops.values.contains {
                    $0.coordinate.distance(to: position.coordinate).meters < 0.5
                }
                #expect(isCovered, "seed \(seed)")
            }
        }
    }

    @Test func `a chat without positions has an empty picture`() {
        #expect(PositionPicture(of: [], in: chat, view: .everywhere) == PositionPicture())
    }
}
