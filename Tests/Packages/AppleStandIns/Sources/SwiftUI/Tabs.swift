// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@MainActor @preconcurrency
public protocol TabContent<TabValue> {
    associatedtype TabValue: Hashable
}

/// Tabs that say what they hold; Apple's have a body.
@MainActor protocol ReadableTabs {
    func tabs(in reading: Reading) -> [TabElement]
}

@MainActor extension TabContent {
    func read(in reading: Reading) -> [TabElement] { (self as? any ReadableTabs)?.tabs(in: reading) ?? [] }
}

/// A tab, as a test reads it.
struct TabElement {
    let label: [Element]
    var badge = ""
    let content: @MainActor () -> [Element]
}

public struct DefaultTabLabel: View, ReadableView {
    public typealias Body = Never
    let label: Label<Text, Image>
    package func elements(in reading: Reading) -> [Element] { label.read(in: reading) }
}

@MainActor public struct Tab<Value, Content, Label> {
    let label: Label
    let content: Content
}

extension Tab: TabContent where Value: Hashable, Content: View, Label: View {
    public typealias TabValue = Value
}

extension Tab: ReadableTabs where Value: Hashable, Content: View, Label: View {
    func tabs(in reading: Reading) -> [TabElement] {
        [TabElement(label: label.read(in: reading)) { content.read(in: reading) }]
    }
}

@MainActor extension Tab where Value == Never, Content: View, Label == DefaultTabLabel {
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S,
        systemImage: String,
        @ViewBuilder content: () -> Content
    ) {
        label = DefaultTabLabel(label: SwiftUI.Label(title, systemImage: systemImage))
        self.content = content()
    }
}

@MainActor @resultBuilder
public struct TabContentBuilder<TabValue: Hashable> {
    public static func buildExpression<C: TabContent>(_ content: C) -> C where C.TabValue == TabValue {
        content
    }

    public static func buildBlock<each C: TabContent>(_ content: repeat each C) -> some TabContent<TabValue> {
        TabSequence<TabValue> { reading in
            var tabs: [TabElement] = []
            repeat tabs += (each content).read(in: reading)
            return tabs
        }
    }

    public struct Content<C: TabContent>: View, ReadableView {
        public typealias Body = Never
        let content: C
        package func elements(in reading: Reading) -> [Element] { [] }
    }
}

private struct TabSequence<TabValue: Hashable>: TabContent, ReadableTabs {
    let read: @MainActor (Reading) -> [TabElement]
    init(read: @escaping @MainActor (Reading) -> [TabElement]) { self.read = read }
    func tabs(in reading: Reading) -> [TabElement] { read(reading) }
}

@MainActor extension TabContent {
    public func badge(_ count: Int) -> some TabContent<Self.TabValue> {
        TabSequence<TabValue> { reading in
            read(in: reading).map {
                TabElement(label: $0.label, badge: count == 0 ? "" : "\(count)", content: $0.content)
            }
        }
    }

    @_disfavoredOverload
    public func badge<S: StringProtocol>(_ label: S) -> some TabContent<TabValue> {
        let text = String(label)
        return TabSequence<TabValue> { reading in
            read(in: reading).map { TabElement(label: $0.label, badge: text, content: $0.content) }
        }
    }
}

/// Shows one of its tabs, the first one at first.
public struct TabView<SelectionValue: Hashable, Content: View>: View, ReadableView {
    public typealias Body = Never
    let tabs: @MainActor (Reading) -> [TabElement]

    package func elements(in reading: Reading) -> [Element] {
        let selected = reading.remembered("selected") { StateBox(0) }
        let tabs = tabs(reading)
        let content = tabs.enumerated().flatMap { index, tab in
            reading.inside("tab \(index)") {
                index == selected.value ? tab.content() : reading.covered { Self.nothing(tab.content()) }
            }
        }
        return content
            + tabs.enumerated().map { index, tab in
                var element = Element(.tab, "", tab.label + [Element(.text, tab.badge)])
                element.isSelected = index == selected.value
                element.press = { selected.value = index }
                return element
            }
    }

    private static func nothing(_: [Element]) -> [Element] { [] }
}

extension TabView where SelectionValue == Never {
    public init<C: TabContent>(@TabContentBuilder<Never> content: () -> C)
    where Content == TabContentBuilder<Never>.Content<C> {
        let content = content()
        tabs = { content.read(in: $0) }
    }
}
