// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
    public var data: Data
    public var content: (Data.Element) -> Content
    let id: (Data.Element) -> ID
}

extension ForEach: View where Content: View {
    public typealias Body = Never

    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    where Data.Element: Identifiable, ID == Data.Element.ID {
        (self.data, self.content, id) = (data, content, { $0.id })
    }

    public init(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        (self.data, self.content, self.id) = (data, content, { $0[keyPath: id] })
    }
}

extension ForEach: ReadableView where Content: View {
    package func elements(in reading: Reading) -> [Element] {
        data.flatMap { item in reading.inside("\(id(item))") { content(item).read(in: reading) } }
    }
}

public struct List<SelectionValue: Hashable, Content: View>: View, ReadableView {
    public typealias Body = Never
    let content: Content

    package func elements(in reading: Reading) -> [Element] {
        [Element(.list, "", content.read(in: reading))]
    }
}

extension List where SelectionValue == Never {
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

public struct Form<Content: View>: View, ReadableView {
    public typealias Body = Never
    let content: Content

    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    package func elements(in reading: Reading) -> [Element] {
        [Element(.list, "", content.read(in: reading))]
    }
}

public struct Section<Parent, Content, Footer> {
    let header: Parent
    let content: Content
    let footer: Footer
}

@MainActor extension Section: View where Parent: View, Content: View, Footer: View {
    public typealias Body = Never

    public init(
        @ViewBuilder content: () -> Content,
        @ViewBuilder header: () -> Parent,
        @ViewBuilder footer: () -> Footer
    ) {
        (self.header, self.content, self.footer) = (header(), content(), footer())
    }
}

extension Section: ReadableView where Parent: View, Content: View, Footer: View {
    package func elements(in reading: Reading) -> [Element] {
        let over = Element(.header, "", reading.inside("header") { header.read(in: reading) })
        let rows = reading.inside("content") { content.read(in: reading) }
        let under = Element(.footer, "", reading.inside("footer") { footer.read(in: reading) })
        return [Element(.section, "", [over] + rows + [under])]
    }
}

@MainActor extension Section where Parent == EmptyView, Content: View, Footer: View {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) {
        (header, self.content, self.footer) = (EmptyView(), content(), footer())
    }
}

@MainActor extension Section where Parent: View, Content: View, Footer == EmptyView {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
        (self.header, self.content, footer) = (header(), content(), EmptyView())
    }
}

@MainActor extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
    public init(@ViewBuilder content: () -> Content) {
        (header, self.content, footer) = (EmptyView(), content(), EmptyView())
    }
}

@MainActor extension Section where Parent == Text, Content: View, Footer == EmptyView {
    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        (header, self.content, footer) = (Text(title), content(), EmptyView())
    }
}

public struct ScrollView<Content: View>: View, ReadableView {
    public typealias Body = Never
    public var content: Content

    public init(
        _ axes: Axis.Set = .vertical,
        showsIndicators: Bool = true,
        @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }

    package func elements(in reading: Reading) -> [Element] { content.read(in: reading) }
}

extension View {
    public func defaultScrollAnchor(_ anchor: UnitPoint?) -> some View { self }
    public func listStyle<S: ListStyle>(_ style: S) -> some View { self }

    @_disfavoredOverload
    public func badge<S: StringProtocol>(_ label: S?) -> some View {
        changing { elements, _ in elements + [Element(.text, label.map { String($0) } ?? "")] }
    }
}

public protocol ListStyle {}

public struct PlainListStyle: ListStyle { public init() {} }

extension ListStyle where Self == PlainListStyle {
    public static var plain: PlainListStyle { PlainListStyle() }
}
