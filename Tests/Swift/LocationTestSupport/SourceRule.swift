import Synchronization
import TestSupport
public import Testing
import YonderGeodesy
import YonderLocation

/// A promise that every source keeps, as a test: its name says what.
public struct SourceRule: Sendable, CustomTestStringConvertible {
    /// The promise.
    public let testDescription: String

    /// Tries it on a stage that nothing has happened on.
    public let check: @Sendable (SourceStage) async throws -> Void

    private init(_ name: String, _ check: @escaping @Sendable (SourceStage) async throws -> Void) {
        testDescription = name
        self.check = check
    }

    /// All of them.
    ///
    /// A test tries each on a source of its own, with a time limit.
    public static let all = power + receivers + permission + ends

    private static let power = [
        SourceRule("nothing comes before it is started") { stage in
            stage.listen()
            _ = try await stage.givePosition()
            #expect(stage.positions.isEmpty)
        },
        SourceRule("positions come once it is started") { stage in
            stage.listen()
            stage.source.start()
            try await stage.move()
            try await stage.move()
            stage.source.stop()
        },
        SourceRule("started twice it tells every position once") { stage in
            stage.listen()
            stage.source.start()
            stage.source.start()
            let first = try await stage.move()
            try await stage.move()
            stage.source.stop()
            #expect(stage.count(of: first) == 1)
        },
        SourceRule("stopped it tells nothing, and started again it goes on") { stage in
            stage.listen()
            stage.source.start()
            try await stage.move()
            stage.source.stop()
            stage.source.stop()
            let missed = try await stage.givePosition()
            #expect(stage.count(of: missed) == 0)
            stage.source.start()
            try await stage.move()
            stage.source.stop()
        },
        SourceRule("it may be configured and stopped at any time") { stage in
            stage.listen()
            stage.source.stop()
            stage.source.configure(SourceConfiguration(isHighAccuracy: false, minimumDistance: .meters(5)))
            stage.source.start()
            stage.source.configure(SourceConfiguration())
            try await stage.move()
            stage.source.stop()
            stage.source.configure(SourceConfiguration(isHighAccuracy: false))
        },
    ]

    private static let receivers = [
        SourceRule("it may be stopped from within the receiver") { stage in
            stage.source.setReceiver { [source = stage.source, events = stage.events] event in
                if case .positions = event { source.stop() }
                events.record(event)
            }
            stage.source.start()
            _ = try await stage.givePosition()
            await stage.wait(forPositions: 1)
            let missed = try await stage.givePosition()
            #expect(stage.count(of: missed) == 0)
        },
        SourceRule("one event is told after another") { stage in
            let gate = Mutex(false)
            stage.source.setReceiver { [events = stage.events] event in
                #expect(gate.withLock { $0.isTurnedOn() })
                events.record(event)
                gate.withLock { $0 = false }
            }
            stage.source.start()
            for _ in 1...5 { try await stage.move() }
            stage.source.stop()
        },
    ]

    private static let permission = [
        SourceRule("the reported permission is the one delivered last") { stage in
            let before = stage.source.authorization
            stage.listen()
            stage.source.requestAuthorization(.whenInUse)
            stage.source.start()
            try await stage.move()
            stage.source.stop()
            let told = stage.events.values.compactMap { event in
                if case .authorization(let authorization) = event { authorization } else { nil }
            }
            #expect(stage.source.authorization == told.last ?? before)
            #expect(stage.source.authorization.isAuthorized)
        },
        SourceRule("services are on where positions come") { stage in
            stage.listen()
            stage.source.start()
            try await stage.move()
            #expect(await stage.source.areServicesEnabled())
            stage.source.stop()
        },
    ]

    private static let ends = [
        SourceRule("an ended source reports its end, and again when it is started again") { stage in
            guard let end = stage.end else { return }
            stage.listen()
            stage.source.start()
            try await stage.move()
            try await end()
            await stage.wait(forEnds: 1)
            stage.source.stop()
            let told = stage.positions.count
            stage.source.start()
            await stage.wait(forEnds: 2)
            stage.source.stop()
            #expect(stage.positions.count == told)
        }
    ]
}

extension Bool {
    /// Sets it, and says whether it was unset.
    fileprivate mutating func isTurnedOn() -> Bool {
        defer { self = true }
        return !self
    }
}

extension SourceStage {
    /// Records what the source tells from now on.
    fileprivate func listen() {
        source.setReceiver { [events] in events.record($0) }
    }
}
