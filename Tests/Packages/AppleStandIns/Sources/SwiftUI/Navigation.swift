// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// What was opened on a stack of screens, the first one first.
@MainActor final class OpenedScreens {
    let values = StateBox<[AnyHashable]>([])
}

/// The screens that a stack of screens can open, as the present reading has met them.
@MainActor final class Destinations {
    typealias Destination = @MainActor (AnyHashable, Reading) -> [Element]?
    var byValue: [Destination] = []

    /// The screens that are open because a binding has a value: the last one is seen.
    var byBinding: [@MainActor (Reading) -> [Element]] = []
}

private struct OpenedScreensKey: EnvironmentKey {
    static var defaultValue: OpenedScreens? { nil }
}

private struct DestinationsKey: EnvironmentKey {
    static var defaultValue: Destinations? { nil }
}

extension EnvironmentValues {
    fileprivate var openedScreens: OpenedScreens? {
        get { self[OpenedScreensKey.self] }
        set { self[OpenedScreensKey.self] = newValue }
    }

    fileprivate var destinations: Destinations? {
        get { self[DestinationsKey.self] }
        set { self[DestinationsKey.self] = newValue }
    }
}

public struct NavigationPath: Equatable, Sendable {
    public init() {}
}

/// Shows its root, or the screen that was opened last over it, with the button *Back*.
public struct NavigationStack<Data, Root: View>: View, ReadableView {
    public typealias Body = Never
    let root: Root

    public init(@ViewBuilder root: () -> Root) where Data == NavigationPath { self.root = root() }

    package func elements(in reading: Reading) -> [Element] {
        let opened = reading.remembered("opened") { OpenedScreens() }
        let destinations = Destinations()
        return reading.with({ ($0.openedScreens, $0.destinations) = (opened, destinations) }) {
            guard let top = opened.values.value.last else {
                let elements = reading.inside("root") { root.read(in: reading) }
                return destinations.byBinding.last?(reading) ?? elements
            }
            _ = reading.inside("root") { reading.covered { root.read(in: reading) } }
            return reading.inside("screen \(opened.values.value.count)") {
                let screen = destinations.byValue.lazy.compactMap { $0(top, reading) }.first ?? []
                return [Self.back { opened.values.value.removeLast() }] + screen
            }
        }
    }

    static func back(_ action: @escaping @MainActor () -> Void) -> Element {
        var element = Element(.button)
        (element.spoken, element.press) = ("Back", action)
        return element
    }
}

public struct NavigationLink<Label: View, Destination: View>: View, ReadableView {
    public typealias Body = Never
    let value: AnyHashable?
    let label: Label

    package func elements(in reading: Reading) -> [Element] {
        var element = Element(.link, "", label.read(in: reading))
        let opened = reading.environment.openedScreens
        element.isEnabled = reading.environment.isEnabled
        element.press = value.flatMap { value in { opened?.values.value.append(value) } }
        return [element]
    }
}

extension NavigationLink where Destination == Never {
    public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) {
        (self.value, self.label) = (value.map { AnyHashable($0) }, label())
    }
}

extension NavigationLink where Label == Text, Destination == Never {
    @_disfavoredOverload
    public init<S: StringProtocol, P: Hashable>(_ title: S, value: P?) {
        (self.value, label) = (value.map { AnyHashable($0) }, Text(title))
    }
}

extension View {
    public func navigationDestination<D: Hashable, C: View>(
        for data: D.Type,
        @ViewBuilder destination: @escaping (D) -> C
    ) -> some View {
        changing { elements, reading in
            reading.environment.destinations?.byValue.append { value, reading in
                (value.base as? D).map { destination($0).read(in: reading) }
            }
            return elements
        }
    }

    public func navigationDestination<D: Hashable, C: View>(
        item: Binding<Optional<D>>,
        @ViewBuilder destination: @escaping (D) -> C
    ) -> some View {
        read { content, reading in
            guard let value = item.wrappedValue else { return content.read(in: reading) }
            let elements = reading.covered { content.read(in: reading) }
            guard !reading.isCovered else { return elements }
            let screen = reading.inside("item \(value)") { destination(value).read(in: reading) }
            return [NavigationStack<NavigationPath, EmptyView>.back { item.wrappedValue = nil }] + screen
        }
    }

    @_disfavoredOverload
    public func navigationTitle<S: StringProtocol>(_ title: S) -> some View {
        changing { elements, _ in [Element(.title, String(title))] + elements }
    }

    public func navigationBarTitleDisplayMode(
        _ displayMode: NavigationBarItem.TitleDisplayMode
    ) -> some View { self }

    @_disfavoredOverload
    public func searchable<S: StringProtocol>(
        text: Binding<String>,
        placement: SearchFieldPlacement = .automatic,
        prompt: S
    ) -> some View {
        changing { elements, _ in
            var field = Element(.search, String(prompt))
            field.content = text
            return elements + [field]
        }
    }
}

public struct NavigationBarItem: Sendable {
    public enum TitleDisplayMode: Sendable {
        case automatic
        case inline
        case large
    }
}

public struct SearchFieldPlacement: Sendable {
    public static let automatic = SearchFieldPlacement()
}
