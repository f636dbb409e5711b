import Testing

@testable import IONGeolocationLib

struct RequestStateTests {
    private func answer(of state: inout RequestState, isPositionKnown: Bool) -> RequestState.SingleRequest {
        state.requestSingle(isPositionKnown: isPositionKnown)
    }

    @Test func `a single request asks the device, unless it monitors and knows`() {
        var state = RequestState()
        #expect(answer(of: &state, isPositionKnown: true) == .ask)

        let starts = state.start()
        #expect(starts)
        #expect(answer(of: &state, isPositionKnown: false) == .ask)
        #expect(answer(of: &state, isPositionKnown: true) == .repeatKnown)

        state.stop()
        #expect(answer(of: &state, isPositionKnown: true) == .ask)
    }

    @Test func `a timeout stops monitoring, and nothing without options starts it again`() {
        var state = RequestState()
        state.startWithTimeout()
        let stops = state.timeOut()
        #expect(stops)
        #expect(!state.isMonitoring)

        let starts = state.start()
        #expect(!starts)
        #expect(!state.isMonitoring)
        #expect(state.hasTimedOut)
    }

    @Test func `a timeout of a single request stops nothing`() {
        var state = RequestState()
        _ = state.requestSingle(isPositionKnown: false)
        let stops = state.timeOut()
        #expect(!stops)
        #expect(state.hasTimedOut)
    }

    @Test func `a request with options ends the wait after a timeout`() {
        var single = RequestState()
        _ = single.timeOut()
        _ = single.requestSingle(isPositionKnown: false)
        #expect(!single.hasTimedOut)
        let starts = single.start()
        #expect(starts)

        var monitoring = RequestState()
        _ = monitoring.timeOut()
        monitoring.startWithTimeout()
        #expect(!monitoring.hasTimedOut)
        #expect(monitoring.isMonitoring)
    }

    @Test func `options wait for five seconds if they don't say how long`() {
        #expect(IONGLOCRequestOptionsModel().timeout == 5000)
        #expect(IONGLOCRequestOptionsModel(timeout: nil).timeout == 5000)
        #expect(IONGLOCRequestOptionsModel(timeout: 20).timeout == 20)
    }
}
