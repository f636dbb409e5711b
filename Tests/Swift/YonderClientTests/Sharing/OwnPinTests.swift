import Testing
import YonderGeodesy
import YonderWire

@testable import YonderClient

@Suite struct OwnPinTests {
    private let positions = (0..<4).map { WorldPosition(Sample.position(1, Double($0)).coordinate) }

    private func connected() -> OwnPin {
        var pin = OwnPin()
        _ = pin.connected(isWritable: true)
        return pin
    }

    @Test func `invariant 1 of OwnPin: during a rest nothing is sent, and after it the newest position`() {
        var pin = connected()
        #expect(pin.move(to: positions[0], isWritable: true) == [.send(positions[0]), .rest])
        #expect(pin.move(to: positions[1], isWritable: true).isEmpty)
        #expect(pin.move(to: positions[2], isWritable: true).isEmpty)
        #expect(pin.rested(isWritable: true) == [.send(positions[2]), .rest])
        #expect(pin.rested(isWritable: true).isEmpty)
        #expect(pin.move(to: positions[3], isWritable: true) == [.send(positions[3]), .rest])
    }

    @Test func `invariant 2 of OwnPin: a pin without a connection is sent with the next ones`() {
        var pin = OwnPin()
        #expect(pin.move(to: positions[0], isWritable: false).isEmpty)
        #expect(pin.connected(isWritable: true) == [.send(positions[0]), .rest])
        pin.disconnected()
        #expect(pin.connected(isWritable: true) == [.send(positions[0]), .rest])
    }

    @Test func `invariant 3 of OwnPin: a slow connection is sent the position after the rest`() {
        var pin = connected()
        #expect(pin.move(to: positions[0], isWritable: false) == [.rest])
        #expect(pin.rested(isWritable: false) == [.rest])
        #expect(pin.rested(isWritable: true) == [.send(positions[0]), .rest])
        #expect(pin.rested(isWritable: true).isEmpty)
    }

    @Test func `a removed pin isn't sent again`() {
        var pin = connected()
        _ = pin.move(to: positions[0], isWritable: true)
        #expect(pin.isShown)
        pin.remove()
        #expect(!pin.isShown)
        #expect(pin.rested(isWritable: true).isEmpty)
        pin.disconnected()
        #expect(pin.connected(isWritable: true).isEmpty)
    }
}
