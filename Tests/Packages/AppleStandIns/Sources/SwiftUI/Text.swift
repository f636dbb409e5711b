// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct Text: View, ReadableView, Equatable, Sendable {
    public typealias Body = Never
    let content: String

    public init(verbatim content: String) { self.content = content }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ content: S) { self.content = String(content) }

    package func elements(in reading: Reading) -> [Element] { [Element(.text, content)] }

    public func bold() -> Text { self }
    public func font(_ font: Font?) -> Text { self }
}

public struct Image: View, ReadableView, Equatable, Sendable {
    public typealias Body = Never
    let systemName: String

    public init(systemName: String) { self.systemName = systemName }

    package func elements(in reading: Reading) -> [Element] {
        var element = Element(.image)
        element.value = systemName
        return [element]
    }
}

public struct Label<Title: View, Icon: View>: View, ReadableView {
    public typealias Body = Never
    let title: Title
    let icon: Icon

    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
        (self.title, self.icon) = (title(), icon())
    }

    package func elements(in reading: Reading) -> [Element] {
        [Element(.stack, "", icon.read(in: reading) + title.read(in: reading))]
    }
}

extension Label where Title == Text, Icon == Image {
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, systemImage name: String) {
        (self.title, icon) = (Text(title), Image(systemName: name))
    }
}

public struct ProgressView<Label: View, CurrentValueLabel: View>: View, ReadableView {
    public typealias Body = Never
    let label: Label

    package func elements(in reading: Reading) -> [Element] {
        [Element(.progress, "", label.read(in: reading))]
    }
}

extension ProgressView where CurrentValueLabel == EmptyView {
    public init() where Label == EmptyView { label = EmptyView() }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S) where Label == Text { label = Text(title) }
}

public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: View, ReadableView {
    public typealias Body = Never
    let label: Label
    let description: Description
    let actions: Actions

    public init(
        @ViewBuilder label: () -> Label,
        @ViewBuilder description: () -> Description = { EmptyView() },
        @ViewBuilder actions: () -> Actions = { EmptyView() }
    ) {
        (self.label, self.description, self.actions) = (label(), description(), actions())
    }

    package func elements(in reading: Reading) -> [Element] {
        label.read(in: reading) + description.read(in: reading)
            + reading.inside("actions") { actions.read(in: reading) }
    }
}

extension ContentUnavailableView
where Label == SwiftUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S,
        systemImage name: String,
        description: Text? = nil
    ) {
        (label, self.description, actions) = (
            SwiftUI.Label(title, systemImage: name), description, EmptyView()
        )
    }
}

public struct Spacer: View, ReadableView {
    public typealias Body = Never
    public init() {}
    package func elements(in reading: Reading) -> [Element] { [] }
}

public struct Divider: View, ReadableView {
    public typealias Body = Never
    public init() {}
    package func elements(in reading: Reading) -> [Element] { [] }
}
