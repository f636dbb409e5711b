import Testing

@testable import YonderBus

struct PendingRequestsTests {
    private let start = ContinuousClock.now
    private var requests = PendingRequests<String>()

    private mutating func begin(_ waiter: String, to node: UInt64 = 7) throws -> UInt64 {
        let request = requests.number()
        let isBegun = requests.begin(request, to: node, until: start + .seconds(5), waiter)
        try #require(isBegun)
        return request
    }

    private func part(_ request: UInt64, _ number: Int, isLast: Bool = true, _ bytes: [UInt8]?) -> AnswerPart
    {
        AnswerPart(node: 1, request: request, number: number, isLast: isLast, bytes: bytes)
    }

    @Test mutating func `an answer is whole with its last part, and comes once`() throws {
        let request = try begin("a")
        #expect(requests.receive(part(request, 0, isLast: false, [1, 2]), from: 7) == nil)
        let done = requests.receive(part(request, 1, [3]), from: 7)
        #expect(done?.waiter == "a" && done?.bytes == [1, 2, 3])
        #expect(requests.receive(part(request, 1, [3]), from: 7) == nil)
    }

    @Test mutating func `an answer that lacks a part, is refused or is too long ends without bytes`() throws {
        let parts = [part(0, 1, [1]), part(0, 0, nil), part(0, 0, Array(repeating: 0, count: 4_194_305))]
        for bad in parts {
            let request = try begin("a")
            let done = requests.receive(part(request, bad.number, bad.bytes), from: 7)
            #expect(done?.waiter == "a" && done?.bytes == nil)
        }
    }

    @Test mutating func `another node can't answer`() throws {
        let request = try begin("a")
        #expect(requests.receive(part(request, 0, [1]), from: 8) == nil)
        #expect(requests.receive(part(request, 0, [1]), from: 7)?.bytes == [1])
    }

    @Test mutating func `requests end with their node, and with their time`() throws {
        _ = try begin("a")
        _ = try begin("b", to: 8)
        var over = requests.cancel(to: [8, 9])
        #expect(over == ["b"])
        over = requests.expire(at: start + .seconds(4))
        #expect(over == [])
        over = requests.expire(at: start + .seconds(5))
        #expect(over == ["a"])
    }

    @Test mutating func `no more requests wait than the limit`() throws {
        for _ in 0..<PendingRequests<String>.limit { _ = try begin("a") }
        let request = requests.number()
        let isBegun = requests.begin(request, to: 7, until: start, "b")
        #expect(!isBegun)
    }

    @Test mutating func `a request that is given up makes room, and its answer is dropped`() throws {
        let request = try begin("a")
        var waiter = requests.cancel(request)
        #expect(waiter == "a" && requests.count == 0)
        waiter = requests.cancel(request)
        #expect(waiter == nil && requests.receive(part(request, 0, [1]), from: 7) == nil)
    }

    @Test(arguments: [0, 1, 262_144, 262_145, 700_000])
    func `an answer is divided into parts that the bus takes`(count: Int) {
        let answer = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let parts = AnswerPart.parts(of: answer, to: 5, of: 6)
        #expect(parts.flatMap { $0.bytes ?? [] } == answer)
        #expect(parts.map(\.number) == Array(parts.indices))
        #expect(parts.map(\.isLast) == parts.indices.map { $0 == parts.count - 1 })
        #expect(parts.allSatisfy { ($0.bytes?.count ?? 0) <= AnswerPart.byteLimit })
    }
}
