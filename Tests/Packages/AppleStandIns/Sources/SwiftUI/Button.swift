// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct ButtonRole: Equatable, Sendable {
    private let name: String
    public static let destructive = ButtonRole(name: "destructive")
    public static let cancel = ButtonRole(name: "cancel")
}

public struct Button<Label: View>: View, ReadableView {
    public typealias Body = Never
    let action: @MainActor () -> Void
    let label: Label

    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        (self.action, self.label) = (action, label())
    }

    public init(
        role: ButtonRole?,
        action: @escaping @MainActor () -> Void,
        @ViewBuilder label: () -> Label
    ) {
        (self.action, self.label) = (action, label())
    }

    package func elements(in reading: Reading) -> [Element] {
        var element = Element(.button, "", label.read(in: reading))
        element.press = action
        element.isEnabled = reading.environment.isEnabled
        return [element]
    }
}

extension Button where Label == Text {
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {
        (self.action, label) = (action, Text(title))
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S,
        role: ButtonRole?,
        action: @escaping @MainActor () -> Void
    ) {
        (self.action, label) = (action, Text(title))
    }
}

extension Button where Label == SwiftUI.Label<Text, Image> {
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S,
        systemImage: String,
        action: @escaping @MainActor () -> Void
    ) {
        (self.action, label) = (action, SwiftUI.Label(title, systemImage: systemImage))
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S,
        systemImage: String,
        role: ButtonRole?,
        action: @escaping @MainActor () -> Void
    ) {
        (self.action, label) = (action, SwiftUI.Label(title, systemImage: systemImage))
    }
}

public struct Menu<Label: View, Content: View>: View, ReadableView {
    public typealias Body = Never
    let label: Label
    let content: Content

    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        (self.label, self.content) = (label(), content())
    }

    package func elements(in reading: Reading) -> [Element] {
        [Element(.stack, "", label.read(in: reading) + reading.inside("menu") { content.read(in: reading) })]
    }
}
