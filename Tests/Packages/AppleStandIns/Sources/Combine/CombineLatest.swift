// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Foundation

/// Sends the latest values of several publishers together, once each has sent one.
///
/// A subscriber that asks for a limited number gets the latest combination when it asks again; older ones are lost.
private final class Combining<Downstream: Subscriber>: Joint<Downstream>, @unchecked Sendable {
    // Safe because these are used with the joint's lock held.
    private var latest: [Any?]
    private var isWaiting = false
    private let combine: ([Any]) -> Downstream.Input?

    override var isHolding: Bool { isWaiting }

    init(_ downstream: Downstream, count: Int, combine: @escaping ([Any]) -> Downstream.Input?) {
        latest = Array(repeating: nil, count: count)
        self.combine = combine
        super.init(downstream, count: count)
    }

    override func take(_ value: Any, from index: Int) -> Subscribers.Demand {
        latest[index] = .some(value)
        isWaiting = true
        demandGrew()
        return .none
    }

    override func demandGrew() {
        let present = latest.compactMap { $0 }
        guard isWaiting, demand > .none, present.count == latest.count, let value = combine(present) else {
            return
        }
        isWaiting = false
        deliver(value)
    }

    override func completeIfDone() {
        // What can't be combined any more isn't waited for.
        if latest.contains(where: { $0 == nil }), finished.count == upstreams.count { isWaiting = false }
        super.completeIfDone()
    }
}

extension Subscriber {
    /// Combines publishers into this subscriber.
    fileprivate func combine(_ publishers: [(Joint<Self>, Int) -> Void], _ tuple: @escaping ([Any]) -> Input?)
    {
        Combining(self, count: publishers.count, combine: tuple).start(publishers)
    }
}

extension Publishers {
    /// The latest values of two publishers.
    public struct CombineLatest<A: Publisher, B: Publisher>: Publisher
    where B.Failure == A.Failure {
        public typealias Output = (A.Output, B.Output)
        public typealias Failure = A.Failure

        public let a: A
        public let b: B

        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            subscriber.combine([a.side(of: S.self), b.side(of: S.self)]) { values in
                guard
                    let a = values[0] as? A.Output,
                    let b = values[1] as? B.Output
                else { return nil }
                return (a, b)
            }
        }
    }

    /// The latest values of three publishers.
    public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where B.Failure == A.Failure, C.Failure == A.Failure {
        public typealias Output = (A.Output, B.Output, C.Output)
        public typealias Failure = A.Failure

        public let a: A
        public let b: B
        public let c: C

        public init(_ a: A, _ b: B, _ c: C) {
            self.a = a
            self.b = b
            self.c = c
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            subscriber.combine([a.side(of: S.self), b.side(of: S.self), c.side(of: S.self)]) { values in
                guard
                    let a = values[0] as? A.Output,
                    let b = values[1] as? B.Output,
                    let c = values[2] as? C.Output
                else { return nil }
                return (a, b, c)
            }
        }
    }

    /// The latest values of four publishers.
    public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
    where B.Failure == A.Failure, C.Failure == A.Failure, D.Failure == A.Failure {
        public typealias Output = (A.Output, B.Output, C.Output, D.Output)
        public typealias Failure = A.Failure

        public let a: A
        public let b: B
        public let c: C
        public let d: D

        public init(_ a: A, _ b: B, _ c: C, _ d: D) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            subscriber.combine([
                a.side(of: S.self), b.side(of: S.self), c.side(of: S.self), d.side(of: S.self),
            ]) { values in
                guard
                    let a = values[0] as? A.Output,
                    let b = values[1] as? B.Output,
                    let c = values[2] as? C.Output,
                    let d = values[3] as? D.Output
                else { return nil }
                return (a, b, c, d)
            }
        }
    }

}

extension Publisher {
    public func combineLatest<B: Publisher>(_ b: B) -> Publishers.CombineLatest<Self, B>
    where B.Failure == Failure {
        Publishers.CombineLatest(self, b)
    }

    public func combineLatest<B: Publisher, T>(
        _ b: B,
        _ transform: @escaping (Output, B.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest<Self, B>, T>
    where B.Failure == Failure {
        Publishers.CombineLatest(self, b).map { transform($0.0, $0.1) }
    }

    public func combineLatest<B: Publisher, C: Publisher>(_ b: B, _ c: C)
        -> Publishers.CombineLatest3<Self, B, C>
    where B.Failure == Failure, C.Failure == Failure {
        Publishers.CombineLatest3(self, b, c)
    }

    public func combineLatest<B: Publisher, C: Publisher, T>(
        _ b: B,
        _ c: C,
        _ transform: @escaping (Output, B.Output, C.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest3<Self, B, C>, T>
    where B.Failure == Failure, C.Failure == Failure {
        Publishers.CombineLatest3(self, b, c).map { transform($0.0, $0.1, $0.2) }
    }

    public func combineLatest<B: Publisher, C: Publisher, D: Publisher>(_ b: B, _ c: C, _ d: D)
        -> Publishers.CombineLatest4<Self, B, C, D>
    where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure {
        Publishers.CombineLatest4(self, b, c, d)
    }

    public func combineLatest<B: Publisher, C: Publisher, D: Publisher, T>(
        _ b: B,
        _ c: C,
        _ d: D,
        _ transform: @escaping (Output, B.Output, C.Output, D.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest4<Self, B, C, D>, T>
    where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure {
        Publishers.CombineLatest4(self, b, c, d).map { transform($0.0, $0.1, $0.2, $0.3) }
    }

}
