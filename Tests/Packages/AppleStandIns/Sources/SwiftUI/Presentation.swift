// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

extension View {
    public func sheet<Content: View>(
        isPresented: Binding<Bool>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        presenting(.sheet, isPresented, onDismiss ?? {}) { _ in content() }
    }

    @_disfavoredOverload
    public func alert<S: StringProtocol, A: View, M: View>(
        _ title: S,
        isPresented: Binding<Bool>,
        @ViewBuilder actions: () -> A,
        @ViewBuilder message: () -> M
    ) -> some View {
        let (title, actions, message) = (Text(title), actions(), message())
        return presenting(.alert, isPresented) { _ in TupleView((title, message, actions)) }
    }

    @_disfavoredOverload
    public func confirmationDialog<S: StringProtocol, A: View>(
        _ title: S,
        isPresented: Binding<Bool>,
        titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> A
    ) -> some View {
        let (title, actions) = (Text(title), actions())
        return presenting(.alert, isPresented) { _ in TupleView((title, actions)) }
    }

    /// Shows what is presented over this view; a press of a button of an alert ends it, as the system does.
    private func presenting<Content: View>(
        _ role: Element.Role,
        _ isPresented: Binding<Bool>,
        _ onDismiss: @escaping () -> Void = {},
        _ content: @escaping @MainActor (Reading) -> Content
    ) -> some View {
        read { view, reading in
            guard isPresented.wrappedValue, !reading.isCovered else { return view.read(in: reading) }
            // A sheet lies over its screen, which goes on.
            let under = view.read(in: reading)
            var presented = reading.inside("presented") { content(reading).read(in: reading) }
            if role == .alert { presented = presented.map { $0.ending(isPresented) } }
            var sheet = Element(role, "", presented)
            sheet.press = {
                isPresented.wrappedValue = false
                onDismiss()
            }
            return under + [sheet]
        }
    }

    public func toolbar<Content: ToolbarContent>(@ToolbarContentBuilder content: () -> Content)
        -> some View
    {
        let content = content()
        return changing { elements, reading in
            elements + [Element(.toolbar, "", reading.inside("toolbar") { content.read(in: reading) })]
        }
    }
}

extension Element {
    @MainActor fileprivate func ending(_ isPresented: Binding<Bool>) -> Element {
        changing { element in
            guard let press = element.press else { return }
            element.press = {
                isPresented.wrappedValue = false
                press()
            }
        }
    }
}

@frozen public enum Visibility: Hashable, CaseIterable, Sendable {
    case automatic
    case visible
    case hidden
}

@MainActor @preconcurrency
public protocol ToolbarContent {}

/// Items that say what they hold; Apple's have a body.
@MainActor protocol ReadableItems {
    func items(in reading: Reading) -> [Element]
}

extension ToolbarContent {
    func read(in reading: Reading) -> [Element] { (self as? any ReadableItems)?.items(in: reading) ?? [] }
}

public struct ToolbarItemPlacement: Sendable {
    public static let automatic = ToolbarItemPlacement()
    public static let primaryAction = ToolbarItemPlacement()
    public static let confirmationAction = ToolbarItemPlacement()
    public static let cancellationAction = ToolbarItemPlacement()
    public static let bottomBar = ToolbarItemPlacement()
    public static let principal = ToolbarItemPlacement()
}

public struct ToolbarItem<ID, Content: View>: ToolbarContent, ReadableItems {
    let content: Content

    func items(in reading: Reading) -> [Element] { content.read(in: reading) }
}

extension ToolbarItem where ID == () {
    public init(
        placement: ToolbarItemPlacement = .automatic,
        @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }
}

@MainActor @resultBuilder
public struct ToolbarContentBuilder {
    public static func buildExpression<Content: ToolbarContent>(_ content: Content) -> Content { content }

    public static func buildBlock<each C: ToolbarContent>(_ content: repeat each C) -> some ToolbarContent {
        ToolbarSequence { reading in
            var elements: [Element] = []
            repeat elements += (each content).read(in: reading)
            return elements
        }
    }
}

private struct ToolbarSequence: ToolbarContent, ReadableItems {
    let elements: @MainActor (Reading) -> [Element]
    init(elements: @escaping @MainActor (Reading) -> [Element]) { self.elements = elements }
    func items(in reading: Reading) -> [Element] { elements(reading) }
}
