import Foundation
import Logging
import MemoryStores
import NIOCore
import NIOPosix
import YonderGeodesy
import YonderHub
import YonderModel
import YonderRules
import YonderObjects
import YonderWire

/// What a move of an object costs from the store's change to the bytes for its viewers' sockets.
///
/// One thread is the store's, one the event loop's. What each of them runs is counted by itself.
struct HubTest {
    let crowd: Crowd
    let names: Names
    let stage: Stage

    /// Moves that are committed together: 10 ms of 100 000 a second.
    private static let batchLength = 1_000

    /// How many moves there are.
    private static let moveCount = 300_000

    /// Makes everything anew and moves the crowd.
    func run() throws -> [Figure] {
        let store = MemoryStore()
        let catalog = try wait { try await ObjectCatalog.load(from: store) }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let exchange = try wait {
            try await Exchange.start(
                chats: store,
                accounts: store,
                catalog: catalog,
                group: group,
                logger: Logger(label: "benchmark")
            )
        }
        let change: ([ObjectSubmission]) -> [Result<ObjectChange, SharingError>] = { submissions in
            let box = ResultBox()
            if stage == .store {
                store.change(submissions) { box.results = $0 }
            } else {
                catalog.change(submissions) { box.results = $0 }
            }
            return box.results
        }
        let ids = try fill(catalog, change)
        let loop = group.next()
        let sinks = try watch(exchange, on: loop)
        let figures =
            try measure(ids, change, loop, sinks, name: "flat out", pause: 0)
            + measure(ids, change, loop, sinks, name: "100 000/s", pause: 0.01)
        try withExtendedLifetime(exchange) { try group.syncShutdownGracefully() }
        return figures
    }

    /// Makes an object of everyone.
    private func fill(
        _ catalog: ObjectCatalog,
        _ change: ([ObjectSubmission]) -> [Result<ObjectChange, SharingError>]
    ) throws -> [ObjectID] {
        let fields = [Field(names.name, .text), Field(names.at, .location)]
        let definition = EntityDefinition(names.entity, readers: .anyone, fields: fields)
        _ = try wait { try await catalog.createEntity(definition, by: .owner, at: .now, under: .server) }
        return try crowd.places.map { place in
            let fields: [FieldName: FieldValue] = [
                names.name: .text("Somebody"), names.at: try Self.location(place),
            ]
            let made = try change([submission(.create(fields))])[0].get()
            guard let id = made.after?.id else { throw ChannelError.eof }
            return id
        }
    }

    private static func location(_ place: Coordinate.Rounded) throws -> FieldValue {
        guard let location = ObjectLocation(place) else { throw ChannelError.eof }
        return .location(location)
    }

    private func submission(_ action: ObjectSubmission.Action) -> ObjectSubmission {
        ObjectSubmission(entity: names.entity, caller: .owner, action: action, time: .now)
    }

    // MARK: Viewers

    private var regions: [Region] {
        switch stage {
        case .store, .map: []
        case .viewers: crowd.viewers
        case .viewersElsewhere: crowd.viewers + crowd.viewersElsewhere
        }
    }

    private func watch(_ exchange: Exchange, on loop: any EventLoop) throws -> [NIOLoopBound<Sink>] {
        try regions.map { region in
            try loop.submit {
                let sink = Sink(eventLoop: loop)
                guard let part = exchange.loop(on: loop) else { throw ChannelError.eof }
                let session = part.open(sink, user: nil)
                sink.session = session
                let query = ObjectRegionQuery(names.entity, in: region)
                let frame = ClientFrame.subscribe(id: 1, query: .objects(query))
                session.receive(ByteBuffer(bytes: frame.encoded()))
                return NIOLoopBound(sink, eventLoop: loop)
            }.wait()
        }
    }

    // MARK: Measuring

    private func measure(
        _ ids: [ObjectID],
        _ change: ([ObjectSubmission]) -> [Result<ObjectChange, SharingError>],
        _ loop: any EventLoop,
        _ sinks: [NIOLoopBound<Sink>],
        name: String,
        pause: Double
    ) throws -> [Figure] {
        let moves = try crowd.moves.prefix(Self.moveCount).map { move in
            let fields: [FieldName: FieldValue?] = [names.at: try Self.location(move.coordinate)]
            return submission(.change(ids[Int(move.id)], fields))
        }
        let batches = stride(from: 0, to: moves.count, by: Self.batchLength).map {
            Array(moves[$0..<min($0 + Self.batchLength, moves.count)])
        }
        let before = try quiet(loop, sinks)
        let (start, ownStart) = (clock(CLOCK_MONOTONIC), clock(CLOCK_THREAD_CPUTIME_ID))
        for (number, batch) in batches.enumerated() {
            _ = change(batch)
            let due = start + Double(number + 1) * pause
            if pause > 0 { Thread.sleep(forTimeInterval: max(0, due - clock(CLOCK_MONOTONIC))) }
        }
        let own = clock(CLOCK_THREAD_CPUTIME_ID) - ownStart
        let after = try quiet(loop, sinks)
        let wall = clock(CLOCK_MONOTONIC) - start - Self.settling
        let count = Double(moves.count)
        let loopOwn = after.time - before.time
        return [
            figure(name, .storeCPU, own / count * 1e6),
            figure(name, .loopCPU, loopOwn / count * 1e6),
            figure(name, .bothCPU, (own + loopOwn) / count * 1e6),
            figure(name, .moves, count / wall),
            figure(name, .bytes, Double(after.bytes - before.bytes) / count),
            figure(name, .writes, Double(after.writes - before.writes) / count),
        ]
    }

    private func figure(_ name: String, _ metric: Figure.Metric, _ value: Double) -> Figure {
        Figure(test: "\(crowd.name), \(stage.rawValue), \(name)", metric: metric, value: value)
    }

    /// How long it takes until the loop surely has nothing left to do.
    private static let settling = 0.3

    private func quiet(_ loop: any EventLoop, _ sinks: [NIOLoopBound<Sink>]) throws
        -> (time: Double, bytes: Int, writes: Int)
    {
        try loop.submit {}.wait()
        Thread.sleep(forTimeInterval: Self.settling)
        return try loop.submit {
            let time = clock(CLOCK_THREAD_CPUTIME_ID)
            return (
                time, sinks.reduce(0) { $0 + $1.value.bytes }, sinks.reduce(0) { $0 + $1.value.writes }
            )
        }.wait()
    }
}

/// What the crowd is called in the schema.
struct Names {
    let entity: EntityName
    let name: FieldName
    let at: FieldName

    init() throws {
        guard let entity = EntityName("person"), let name = FieldName("name"), let at = FieldName("at")
        else { throw ChannelError.eof }
        (self.entity, self.name, self.at) = (entity, name, at)
    }
}

/// Seconds of a clock.
private func clock(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// What a completion on this thread was given.
// Safe because the store in memory calls it before `change` returns.
private final class ResultBox: @unchecked Sendable {
    var results: [Result<ObjectChange, SharingError>] = []
}

/// A connection that takes everything at once.
final class Sink: SessionTransport {
    let eventLoop: any EventLoop
    let isWritable = true
    var session: Session?
    private(set) var bytes = 0
    private(set) var writes = 0

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func write(_ frames: ByteBuffer) {
        bytes += frames.readableBytes
        writes += 1
    }

    func flush() {}

    func close(_ code: UInt16, _ reason: String) {}

    func pauseReceiving() {}

    func resumeReceiving() {}
}

/// Waits for what can only be awaited.
private func wait<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let done = DispatchSemaphore(value: 0)
    let box = ValueBox<Value>()
    Task {
        do { box.result = .success(try await body()) } catch { box.result = .failure(error) }
        done.signal()
    }
    done.wait()
    guard let result = box.result else { throw ChannelError.eof }
    return try result.get()
}

/// What a task came to.
// Safe because the semaphore orders the two who use it.
private final class ValueBox<Value>: @unchecked Sendable {
    var result: Result<Value, any Error>?
}
