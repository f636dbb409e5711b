import Testing

@testable import YonderMap

@Suite struct PinSelectionTests {
    /// The selection of a view, called as a driver calls it.
    private final class Selection {
        private var value = PinSelection()

        var wanted: String? { value.wanted }
        func want(_ id: String?) { value.want(id) }
        func action(isOnMap: (String) -> Bool) -> PinSelection.Action? { value.action(isOnMap: isOnMap) }
        func willRemove(_ ids: [String]) { value.willRemove(ids) }
        func didSelect(_ id: String) -> Bool { value.didSelect(id) }
        func didDeselect(_ id: String, isOnMap: (String) -> Bool) -> Bool {
            value.didDeselect(id, isOnMap: isOnMap)
        }
    }

    private let all: (String) -> Bool = { _ in true }
    private let none: (String) -> Bool = { _ in false }

    @Test func `the app's selection is carried out until the view reports it, and isn't sent back`() {
        let selection = Selection()
        selection.want("1")
        #expect(selection.action(isOnMap: all) == .select("1"))
        #expect(selection.action(isOnMap: all) == .select("1"))
        #expect(!selection.didSelect("1"))
        #expect(selection.action(isOnMap: all) == nil)
        selection.want(nil)
        #expect(selection.action(isOnMap: all) == .deselect("1"))
        #expect(!selection.didDeselect("1", isOnMap: all))
        #expect(selection.action(isOnMap: all) == nil)
    }

    @Test func `the user's selection is sent, also when another pin is deselected for it`() {
        let selection = Selection()
        #expect(selection.didSelect("1"))
        #expect(selection.didDeselect("1", isOnMap: all))
        #expect(selection.didSelect("2"))
        #expect(selection.wanted == "2")
        #expect(selection.action(isOnMap: all) == nil)
    }

    @Test func `the app's next selection deselects the first without a word to the app`() {
        let selection = Selection()
        _ = selection.didSelect("1")
        selection.want("2")
        #expect(selection.action(isOnMap: all) == .select("2"))
        #expect(!selection.didDeselect("1", isOnMap: all))
        #expect(!selection.didSelect("2"))
    }

    @Test func `a pin that leaves the map keeps its selection, and is selected when it is back`() {
        let selection = Selection()
        _ = selection.didSelect("1")
        selection.willRemove(["1"])
        #expect(!selection.didDeselect("1", isOnMap: none))
        #expect(selection.action(isOnMap: none) == nil)
        #expect(selection.wanted == "1")
        #expect(selection.action(isOnMap: all) == .select("1"))
    }

    @Test func `a wanted pin that isn't on the map deselects the one that is selected`() {
        let selection = Selection()
        _ = selection.didSelect("1")
        selection.want("2")
        #expect(selection.action { $0 == "1" } == .deselect("1"))
    }
}
