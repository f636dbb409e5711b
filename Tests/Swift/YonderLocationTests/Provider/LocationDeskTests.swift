import TestSupport
import Testing
import YonderGeodesy

@testable import YonderLocation

@Suite struct LocationDeskTests {
    @Test func `any sequence of events does what a plain model of the rules does`() {
        for seed in UInt64(0)..<400 {
            var run = DeskRun(seed: seed)
            for step in 0..<120 where !run.hasFailed { run.step(step) }
        }
    }

    @Test func `a request that joins a watch changes the source only where it wants more`() {
        var desk = LocationDesk(authorization: .whenInUse)
        let moment = Moment(elapsed: .zero, time: Timestamp(milliseconds: 0))
        _ = desk.watch(MonitoringConfiguration(), at: moment)
        #expect(desk.nextCommand() == .configure(SourceConfiguration()))
        #expect(desk.nextCommand() == .start)
        _ = desk.request(PositionRequest(isHighAccuracy: false), at: moment)
        #expect(desk.nextCommand() == nil)
    }

    @Test func `a watch that ends as another begins leaves the source as it is`() {
        var desk = LocationDesk(authorization: .whenInUse)
        let moment = Moment(elapsed: .zero, time: Timestamp(milliseconds: 0))
        let first = desk.watch(MonitoringConfiguration(), at: moment)
        while desk.nextCommand() != nil {}
        _ = desk.close(first)
        _ = desk.watch(MonitoringConfiguration(), at: moment)
        #expect(desk.nextCommand() == nil)
    }
}

/// One random run of desk and model side by side.
private struct DeskRun {
    private let seed: UInt64
    private var random: SeededGenerator
    private var desk = LocationDesk(authorization: .whenInUse)
    private var model = DeskModel()
    private var now = Moment(elapsed: .zero, time: Timestamp(milliseconds: 1_000_000))
    private var isOn = false
    private var configuration: SourceConfiguration?
    private(set) var hasFailed = false

    init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
    }

    mutating func step(_ step: Int) {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<3: advance()
        case 3, 4: open()
        case 5: update()
        case 6: close()
        case 7, 8: request()
        case 9: cancel()
        case 10..<14: positions(step)
        case 14: failure(step)
        case 15: noFix()
        case 16: authorize()
        default: take()
        }
        obey()
        expect(isOn == model.isListening, "step \(step): the source is \(isOn ? "on" : "off")")
        if isOn {
            expect(configuration == model.configuration, "step \(step): \(configuration as Any)")
        }
    }

    private mutating func expect(_ holds: Bool, _ message: String) {
        #expect(holds, "seed \(seed), \(message)")
        if !holds { hasFailed = true }
    }

    private mutating func obey() {
        while let command = desk.nextCommand() {
            switch command {
            case .configure(let wanted):
                expect(configuration != wanted, "configured twice alike")
                configuration = wanted
            case .start:
                expect(!isOn, "started twice")
                isOn = true
                model.isWithoutFix = false
            case .stop:
                expect(isOn, "stopped twice")
                isOn = false
            }
        }
    }

    private mutating func advance() {
        let milliseconds = Int64.random(in: 1...5000, using: &random)
        now.elapsed += .milliseconds(milliseconds)
        // The time of day may be set meanwhile.
        let jump =
            Int.random(in: 0..<10, using: &random) == 0 ? Int64.random(in: -3000...3000, using: &random) : 0
        now.time = Timestamp(milliseconds: now.time.milliseconds + milliseconds + jump)
        for (id, request) in model.requests where now.elapsed - request.begin.elapsed >= request.wish.timeout
        {
            model.requests[id] = nil
            expectAnswers(desk.timeOut(id), [id: "timedOut"])
        }
    }

    private mutating func randomConfiguration() -> MonitoringConfiguration {
        MonitoringConfiguration(
            isHighAccuracy: Bool.random(using: &random),
            minimumDistance: [nil, .meters(5), .meters(20), .meters(100)].randomElement(using: &random)
                ?? nil,
            stallInterval: [nil, .seconds(3), .seconds(10)].randomElement(using: &random) ?? nil
        )
    }

    private mutating func open() {
        let configuration = randomConfiguration()
        var watch = DeskModel.Watch(configuration: configuration)
        if model.authorization == .denied {
            watch.history = [.failure(LocationError(.notAuthorized, Self.denial))]
        } else if let present = model.present(maximumAge: .zero, at: now), let last = model.positions.last {
            watch.history = [.position(present, last.arrival)]
        }
        model.watches[desk.watch(configuration, at: now)] = watch
    }

    private mutating func update() {
        let configuration = randomConfiguration()
        guard let id = randomWatch() else { return }
        model.watches[id]?.configuration = configuration
        _ = desk.update(id, configuration)
    }

    private mutating func close() {
        guard let id = randomWatch() else { return }
        model.watches[id] = nil
        _ = desk.close(id)
    }

    private mutating func randomWatch() -> LocationDesk.ListenerID? {
        model.watches.keys.sorted { "\($0)" < "\($1)" }.randomElement(using: &random)
    }

    private mutating func request() {
        let wish = PositionRequest(
            isHighAccuracy: Bool.random(using: &random),
            timeout: .seconds(Int.random(in: 0...10, using: &random)),
            maximumAge: .seconds(Int.random(in: 0...6, using: &random))
        )
        let expected: String?
        if model.authorization == .denied {
            expected = "notAuthorized"
        } else if let present = model.present(maximumAge: wish.maximumAge, at: now) {
            expected = "\(present.coordinate)"
        } else {
            expected = wish.timeout > .zero ? nil : "timedOut"
        }
        switch desk.request(wish, at: now) {
        case .answered(let result): expect(Self.text(result) == expected, "answered \(result)")
        case .waiting(let id, let deadline):
            expect(expected == nil && deadline == now.elapsed + wish.timeout, "a request waits")
            model.requests[id] = DeskModel.Request(wish: wish, begin: now)
        }
    }

    private mutating func cancel() {
        guard let id = model.requests.keys.sorted(by: { "\($0)" < "\($1)" }).randomElement(using: &random)
        else { return }
        model.requests[id] = nil
        expectAnswers(desk.cancel(id), [id: "canceled"])
    }

    private mutating func positions(_ step: Int) {
        let batch = (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in
            Coordinate(latitude: Double.random(in: 0...0.0005, using: &random), longitude: 180).map {
                let age = Int64.random(in: -1...3, using: &random) * 500
                return Position(coordinate: $0, timestamp: now.time - .milliseconds(age))
            }
        }
        let sorted = batch.enumerated().sorted { left, right in
            (left.element.timestamp, left.offset) < (right.element.timestamp, right.offset)
        }
        guard let latest = sorted.last?.element else { return }
        model.record(.position(latest, now))
        model.positions.append((latest, now))
        model.isWithoutFix = false
        answerAll(desk.receive(.positions(batch), at: now), "\(latest.coordinate)")
    }

    private mutating func failure(_ step: Int) {
        let codes: [LocationError.Code] = [.positionUnavailable, .sourceLost, .sourceLost, .sourceEnded]
        guard let code = codes.randomElement(using: &random) else { return }
        let error = LocationError(code, "Failure \(step).")
        model.record(.failure(error))
        answerAll(desk.receive(.failure(error), at: now), code == .positionUnavailable ? nil : "\(code)")
    }

    private mutating func noFix() {
        if !model.isWithoutFix {
            model.record(.failure(LocationError(.positionUnavailable, "The device has no fix.")))
        }
        model.isWithoutFix = true
        answerAll(desk.receive(.positions([]), at: now), nil)
    }

    private static let denial = "Permission to access the device's location is denied."

    private mutating func authorize() {
        let authorization: LocationAuthorization = Bool.random(using: &random) ? .denied : .whenInUse
        let isDenied = authorization == .denied && model.authorization != .denied
        model.authorization = authorization
        if isDenied { model.record(.failure(LocationError(.notAuthorized, Self.denial))) }
        answerAll(desk.receive(.authorization(authorization), at: now), isDenied ? "notAuthorized" : nil)
    }

    private mutating func take() {
        guard let id = randomWatch() else { return }
        let expected = model.watches[id]?.take(at: now.elapsed)
        let hadNews = desk.hasNews(id, at: now.elapsed)
        let taken: String
        switch desk.take(id, at: now.elapsed) {
        case .event(.position(let position)): taken = "position \(position.coordinate)"
        case .event(.failure(let error)): taken = "failure \(error.message)"
        case .event(.stalled(let since)): taken = "stalled \(since)"
        case .wait: taken = "wait"
        case .ended: taken = "end"
        }
        if taken == "end" { model.watches[id] = nil }
        expect(taken == expected, "took \(taken), expected \(expected ?? "nothing")")
        expect(hadNews == (taken != "wait"), "has news: \(hadNews), but \(taken)")
    }

    /// Expects that everybody who waits is answered, or nobody.
    private mutating func answerAll(_ effects: [LocationDesk.Effect], _ answer: String?) {
        var expected: [LocationDesk.ListenerID: String] = [:]
        if let answer {
            for id in model.requests.keys { expected[id] = answer }
            model.requests = [:]
        }
        expectAnswers(effects, expected)
    }

    private mutating func expectAnswers(
        _ effects: [LocationDesk.Effect],
        _ expected: [LocationDesk.ListenerID: String]
    ) {
        var answers: [LocationDesk.ListenerID: String] = [:]
        for case .answer(let id, let result) in effects { answers[id] = Self.text(result) }
        expect(answers == expected, "answers \(answers), expected \(expected)")
    }

    private static func text(_ result: Result<Position, LocationError>) -> String {
        switch result {
        case .success(let position): "\(position.coordinate)"
        case .failure(let error): "\(error.code)"
        }
    }
}
