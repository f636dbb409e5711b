import Testing

@testable import YonderServer

@Suite struct FileWatchTests {
    private func file(_ number: UInt64) -> FileIdentity {
        FileIdentity(device: 1, number: number, size: 10, modified: 100)
    }

    @Test func `an unchanged file isn't read`() {
        var watch = FileWatch([file(1), file(2)])
        #expect(watch.look([file(1), file(2)]) == .nothing)
    }

    @Test func `a changed file is read once`() {
        var watch = FileWatch([file(1), file(2)])
        #expect(watch.look([file(3), file(2)]) == .load)
        watch.loaded([file(3), file(2)])
        #expect(watch.look([file(3), file(2)]) == .nothing)
    }

    @Test func `an unusable file is tried at each look, and is reported once for each change`() {
        var watch = FileWatch([file(1), file(2)])
        #expect(watch.look([file(3), nil]) == .load)
        #expect(watch.look([file(3), nil]) == .retry)
        #expect(watch.look([file(3), file(4)]) == .load)
        #expect(watch.look([file(3), file(4)]) == .retry)
    }

    @Test func `a file restored to its earlier content needs nothing`() {
        var watch = FileWatch([file(1), file(2)])
        #expect(watch.look([nil, file(2)]) == .load)
        #expect(watch.look([file(1), file(2)]) == .nothing)
    }
}
