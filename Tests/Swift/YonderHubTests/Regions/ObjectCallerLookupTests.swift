import TestSupport
import Testing
import YonderModel

@testable import YonderHub

@Suite struct ObjectCallerLookupTests {
    @Test func `without a user nothing is asked`() {
        var lookup = ObjectCallerLookup(isSignedIn: false)
        #expect(lookup.next() == .admit(.anyone))
    }

    @Test func `the store is asked once, however many subscriptions wait`() {
        var lookup = ObjectCallerLookup(isSignedIn: true)
        let before = (0..<3).map { _ in lookup.next() }
        #expect(before == [.ask, .wait, .wait])
        lookup.answered(.owner)
        let after = (0..<2).map { _ in lookup.next() }
        #expect(after == [.admit(.owner), .admit(.owner)])
    }

    @Test func `after a failure the next subscription asks again`() {
        var lookup = ObjectCallerLookup(isSignedIn: true)
        _ = lookup.next()
        lookup.answered(nil)
        #expect(lookup.next() == .ask)
    }
}
