// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// What stands for SwiftUI's views: they hold what a body says, and a test reads and presses it.
///
/// Nothing is laid out or drawn.
///
/// Every composite view has a `body`; a view without one is a ``ReadableView``.
@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {
    public typealias Body = Never
    public var body: Never { preconditionFailure("There is no view.") }
}

extension View where Body == Never {
    /// A view without a body is read as a ``ReadableView``.
    public var body: Never { preconditionFailure("\(Self.self) has no body.") }
}

@MainActor @resultBuilder
public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }

    public static func buildBlock() -> EmptyView { EmptyView() }

    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

    public static func buildBlock<each Content: View>(_ content: repeat each Content)
        -> TupleView<(repeat each Content)>
    {
        TupleView((repeat each content))
    }

    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

    public static func buildEither<TrueContent: View, FalseContent: View>(first: TrueContent)
        -> _ConditionalContent<TrueContent, FalseContent>
    {
        _ConditionalContent(branch: .first(first))
    }

    public static func buildEither<TrueContent: View, FalseContent: View>(second: FalseContent)
        -> _ConditionalContent<TrueContent, FalseContent>
    {
        _ConditionalContent(branch: .second(second))
    }
}

public struct EmptyView: View, ReadableView {
    public typealias Body = Never
    public init() {}
    package func elements(in reading: Reading) -> [Element] { [] }
}

public struct TupleView<T>: View, ReadableView {
    public typealias Body = Never
    public var value: T

    public init(_ value: T) { self.value = value }

    package func elements(in reading: Reading) -> [Element] {
        Mirror(reflecting: value).children.enumerated().flatMap { index, child in
            reading.inside("\(index)") { (child.value as? any View)?.read(in: reading) ?? [] }
        }
    }
}

public struct _ConditionalContent<TrueContent: View, FalseContent: View>: View, ReadableView {
    public typealias Body = Never

    enum Branch {
        case first(TrueContent)
        case second(FalseContent)
    }

    let branch: Branch

    init(branch: Branch) { self.branch = branch }

    package func elements(in reading: Reading) -> [Element] {
        switch branch {
        case .first(let view): reading.inside("first") { view.read(in: reading) }
        case .second(let view): reading.inside("second") { view.read(in: reading) }
        }
    }
}

extension Optional: View where Wrapped: View {
    public typealias Body = Never
}

extension Optional: ReadableView where Wrapped: View {
    package func elements(in reading: Reading) -> [Element] { self?.read(in: reading) ?? [] }
}

public struct Group<Content: View>: View, ReadableView {
    public typealias Body = Never
    let content: Content

    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    package func elements(in reading: Reading) -> [Element] { content.read(in: reading) }
}

public struct ModifiedContent<Content, Modifier> {
    public var content: Content
    public var modifier: Modifier

    public init(content: Content, modifier: Modifier) {
        (self.content, self.modifier) = (content, modifier)
    }
}

extension ModifiedContent: View where Content: View, Modifier == AccessibilityAttachmentModifier {
    public typealias Body = Never
}

extension ModifiedContent: ReadableView where Content: View, Modifier == AccessibilityAttachmentModifier {
    package func elements(in reading: Reading) -> [Element] {
        modifier.change(content.read(in: reading))
    }
}
