import Synchronization
import Testing
import YonderGeodesy
import YonderLocation

/// What a source told, in a form that can be compared.
enum Told: Hashable {
    case authorization(LocationAuthorization)
    case place(Place)
    case noFix
    case failure(LocationError.Code)

    static func all(_ event: LocationSourceEvent) -> [Told] {
        switch event {
        case .authorization(let authorization): [.authorization(authorization)]
        case .positions(let positions): positions.isEmpty ? [.noFix] : positions.map { .place(Place($0)) }
        case .failure(let error): [.failure(error.code)]
        }
    }

    var isPlace: Bool {
        if case .place = self { true } else { false }
    }
}

/// Listens to a source; whoever tests waits for what it tells.
final class ToldEvents: Sendable {
    private let stream: AsyncStream<Told>
    private let read = Mutex<[Told]>([])

    init(_ source: any LocationSource) {
        let (stream, continuation) = AsyncStream.makeStream(of: Told.self)
        self.stream = stream
        source.setReceiver { event in
            for told in Told.all(event) { continuation.yield(told) }
        }
    }

    /// Everything that was waited for, and what came before it.
    var all: [Told] { read.withLock { $0 } }

    /// Waits for something that fits; what comes before it is passed over.
    ///
    /// The test's time limit is the bound.
    @discardableResult
    func wait(_ fits: (Told) -> Bool) async -> Told? {
        for await told in stream {
            read.withLock { $0.append(told) }
            if fits(told) { return told }
        }
        return nil
    }

    /// Waits for exactly this.
    func wait(for told: Told) async {
        await wait { $0 == told }
    }

    /// Waits for so many places.
    func places(_ count: Int) async -> [Place] {
        var places: [Place] = []
        while places.count < count, case .place(let place)? = await wait(\.isPlace) { places.append(place) }
        return places
    }
}
