import Observation
import ScreenReading
import SwiftUI
import Testing

@Suite @MainActor struct ScreenTests {
    @Test func `a screen is read from the top to the bottom, and a press calls the button's action`() throws {
        let shop = Shop()
        let screen = Screen { ShopView(shop: shop) }
        #expect(screen.texts == ["Shop", "Apples", "Pears", "Buy", "Name", "Gift", "Nothing bought"])
        #expect(!screen.canPress("Buy"))
        try screen.press("Pears")
        try screen.press("Buy")
        #expect(shop.bought == ["Pears"] && screen.texts.last == "Bought: Pears")
        try screen.type("Mia", into: "Name")
        try screen.turn("Gift", on: true)
        #expect(shop.name == "Mia" && shop.isGift)
        #expect(throws: Screen.NotFound.self) { try screen.press("Sell") }
    }

    @Test func `a view's state lasts until the view has gone`() throws {
        let shop = Shop()
        let screen = Screen { ShopView(shop: shop) }
        try screen.press("Apples")
        #expect(screen.canPress("Buy"))
        shop.isOpen = false
        #expect(screen.texts == ["Closed"])
        shop.isOpen = true
        #expect(!screen.canPress("Buy"))
    }

    @Test func `a link opens a screen over the first one, and back returns to it`() throws {
        let screen = Screen {
            NavigationStack {
                List { NavigationLink(value: 7) { Text("Seven") } }
                    .navigationDestination(for: Int.self) { Text("Number \($0)") }
            }
        }
        try screen.press("Seven")
        #expect(screen.texts == ["Number 7"])
        try screen.press("Back")
        #expect(screen.texts == ["Seven"])
    }

    @Test func `a tab shows its content when it is pressed, and its badge always`() throws {
        let screen = Screen {
            TabView {
                Tab("One", systemImage: "1.circle") { Text("First") }.badge("3")
                Tab("Two", systemImage: "2.circle") { Text("Second") }
            }
        }
        #expect(screen.texts == ["First", "One", "3", "Two"])
        try screen.press("Two")
        #expect(screen.texts == ["Second", "One", "3", "Two"])
    }

    @Test func `an alert lies over its screen and ends with a press of one of its buttons`() throws {
        let shop = Shop()
        let screen = Screen { ShopView(shop: shop) }
        shop.asks = true
        #expect(screen.texts.suffix(3) == ["Sure?", "It is a lot.", "Yes"])
        try screen.press("Yes")
        #expect(!shop.asks && shop.bought == ["Yes"])
    }

    @Test func `a task runs while its view is on the screen, and anew when its id changes`() async throws {
        let shop = Shop()
        let screen = Screen { ShopView(shop: shop) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await screen.run() }
            defer { group.cancelAll() }
            try await wait { shop.log == ["open 0"] }
            shop.number = 1
            try await wait {
                shop.log == ["open 0", "close 0", "open 1"] || shop.log == ["open 0", "open 1", "close 0"]
            }
            shop.isOpen = false
            try await wait { shop.log.last == "close 1" }
        }
    }

    @Test func `a view of UIKit's is made once and updated at each reading`() throws {
        let shop = Shop()
        let screen = Screen { Sign(text: shop.name) }
        #expect((screen.elements.first?.view as? SignView)?.text == "")
        let view = screen.elements.first?.view as? SignView
        shop.name = "Fruit"
        #expect(screen.elements.first?.view as? SignView === view && view?.text == "Fruit")
    }
}

@MainActor @Observable
private final class Shop {
    var isOpen = true
    var isGift = false
    var asks = false
    var name = ""
    var number = 0
    var bought: [String] = []
    var log: [String] = []

    func open(_ number: Int) async {
        log.append("open \(number)")
        for await _ in AsyncStream<Void>.makeStream().stream {}
        log.append("close \(number)")
    }
}

private struct ShopView: View {
    @Bindable var shop: Shop

    var body: some View {
        if shop.isOpen {
            OpenShopView(shop: shop)
        } else {
            Text("Closed")
        }
    }
}

private struct OpenShopView: View {
    @Bindable var shop: Shop
    @State private var chosen: String?

    var body: some View {
        VStack {
            ForEach(["Apples", "Pears"], id: \.self) { fruit in Button(fruit) { chosen = fruit } }
            Button("Buy") { shop.bought.append(chosen ?? "") }.disabled(chosen == nil)
            TextField("Name", text: $shop.name)
            Toggle("Gift", isOn: $shop.isGift)
            Text(shop.bought.isEmpty ? "Nothing bought" : "Bought: \(shop.bought.joined())")
        }
        .navigationTitle("Shop")
        .alert("Sure?", isPresented: $shop.asks) {
            Button("Yes") { shop.bought.append("Yes") }
        } message: {
            Text("It is a lot.")
        }
        .task(id: shop.number) { [number = shop.number] in await shop.open(number) }
    }
}

@MainActor
private func wait(until isAsExpected: @MainActor () -> Bool) async throws {
    while true {
        let (changes, change) = AsyncStream.makeStream(of: Void.self)
        if withObservationTracking(isAsExpected, onChange: { change.finish() }) { return }
        for await _ in changes {}
        try Task.checkCancellation()
    }
}
