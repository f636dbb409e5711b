import Testing

@testable import YonderServer

@Suite struct FileWatchTests {
    private func file(_ number: UInt64) -> FileIdentity {
        FileIdentity(device: 1, number: number, size: 10, modified: 100)
    }

    @Test func `what hasn't changed isn't read`() {
        var watch = FileWatch([file(1), file(2)])
        #expect(watch.look([file(1), file(2)]) == .nothing)
    }

    @Test func `what has changed is read once`() {
        var watch = FileWatch([file(1), file(2)])
        #expect(watch.look([file(3), file(2)]) == .load)
        watch.loaded([file(3), file(2)])
        #expect(watch.look([file(3), file(2)]) == .nothing)
    }

    @Test func `what can't be used is tried at each look, and is news once for each change`() {
        var watch = FileWatch([file(1), file(2)])
        #expect(watch.look([file(3), nil]) == .load)
        #expect(watch.look([file(3), nil]) == .retry)
        #expect(watch.look([file(3), file(4)]) == .load)
        #expect(watch.look([file(3), file(4)]) == .retry)
    }

    @Test func `what is as it was before needs nothing`() {
        var watch = FileWatch([file(1), file(2)])
        #expect(watch.look([nil, file(2)]) == .load)
        #expect(watch.look([file(1), file(2)]) == .nothing)
    }
}
