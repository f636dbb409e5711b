import Testing

@testable import YonderStorage

struct ScrubbingTests {
    @Test func `invariant 1 of Scrubbing: it begins at the first page and ends behind the last`() {
        var scrubbing = Scrubbing(stored: nil)
        #expect(scrubbing.next == 1)
        scrubbing.advance(to: 65)
        #expect(scrubbing.next == 65)
        let before = scrubbing
        scrubbing.restart()
        #expect(scrubbing.next == 1)
        #expect(scrubbing != before)
        scrubbing.advance(to: nil)
        #expect(scrubbing.next == nil)
        scrubbing.restart()
        #expect(scrubbing.next == 1)
    }

    @Test func `a reading that was begun anew at the first page isn't the one before`() {
        let before = Scrubbing(stored: nil)
        var after = before
        after.restart()
        #expect(after.next == before.next && after != before)
    }

    @Test func `invariant 2 of Scrubbing: it goes on where it was stored to be`() {
        for place in [nil, 1, 65, Int64.max] {
            var scrubbing = Scrubbing(stored: nil)
            scrubbing.advance(to: place)
            #expect(Scrubbing(stored: scrubbing.stored) == scrubbing)
        }
        #expect(Scrubbing(stored: -3).next == 1)
    }
}
