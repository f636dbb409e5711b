import Foundation
import NIOCore
import NIOEmbedded
import Testing

@testable import YonderTransport

@Suite struct AcceptRestTests {
    private func at(_ milliseconds: Int64) -> NIODeadline {
        .uptimeNanoseconds(0) + .milliseconds(milliseconds)
    }

    @Test func `pauses double up to a second, and the first is announced`() {
        var rest = AcceptRest()
        let pauses = (0..<7).map { rest.failed(at: at(Int64($0) * 1_000)) }
        #expect(pauses.map { $0.length.nanoseconds / 1_000_000 } == [50, 100, 200, 400, 800, 1_000, 1_000])
        #expect(pauses.map(\.isFirst) == [true] + Array(repeating: false, count: 6))
    }

    @Test func `a shortage that comes and goes is one, and ends after five calm seconds`() {
        var rest = AcceptRest()
        #expect(rest.accepted(at: at(0)) == nil)
        _ = rest.failed(at: at(1_000))
        #expect(rest.accepted(at: at(1_050)) == nil)
        let again = rest.failed(at: at(2_000))
        #expect(again == .init(length: .milliseconds(50), isFirst: false))
        #expect(rest.accepted(at: at(6_999)) == nil)
        #expect(rest.accepted(at: at(7_000)) == .milliseconds(1_000))
        #expect(rest.accepted(at: at(8_000)) == nil)
        #expect(rest.failed(at: at(9_000)).isFirst)
    }

    @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
    func `a listening channel reads nothing while it rests, and reads again afterwards`(errno: CInt) throws {
        let channel = EmbeddedChannel()
        var isReading = true
        var failures = 0
        let handler = AcceptRestHandler { reads, _ in
            isReading = reads
        } report: { event in
            if case .failed(_, isFirst: true) = event { failures += 1 }
        }
        try channel.pipeline.syncOperations.addHandler(handler)
        channel.pipeline.fireErrorCaught(IOError(errnoCode: errno, reason: "accept"))
        #expect(!isReading)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(49))
        #expect(!isReading)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(isReading)
        try channel.throwIfErrorCaught()
        #expect(failures == 1)
        _ = try channel.finish()
    }

    @Test func `another error is passed on`() throws {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(AcceptRestHandler(report: { _ in }))
        channel.pipeline.fireErrorCaught(IOError(errnoCode: EBADF, reason: "accept"))
        #expect(throws: IOError.self) { try channel.throwIfErrorCaught() }
        _ = try? channel.finish()
    }
}
