import Testing
import YonderModel

@Suite struct HueTests {
    @Test func `each hue is in range and apart from those taken before, while there is room`() {
        var free = FreeHues(among: [])
        var taken: [Int] = []
        for _ in 0..<16 {
            let hue = free.take()
            #expect(Hue.range.contains(hue))
            #expect(taken.allSatisfy { abs($0 - hue) >= 8 && 360 - abs($0 - hue) >= 8 })
            taken.append(hue)
        }
    }

    @Test func `the first free hue is the one that a taken one left`() {
        var empty = FreeHues(among: [])
        let (first, second) = (empty.take(), empty.take())
        var other = FreeHues(among: [first])
        #expect(other.take() == second)
        var next = FreeHues(among: [second])
        #expect(next.take() == first)
    }

    @Test func `where every hue is taken, many users still get many hues`() {
        var free = FreeHues(among: [])
        let hues = (0..<1_000).map { _ in free.take() }
        #expect(hues.allSatisfy(Hue.range.contains))
        #expect(Set(hues).count > 200)
    }
}
