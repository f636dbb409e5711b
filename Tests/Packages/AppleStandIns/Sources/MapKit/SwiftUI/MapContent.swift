// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CoreLocation
public import SwiftUI

/// What is on a map; a content without a ``body`` is a ``ReadableMapContent``.
@MainActor @preconcurrency
public protocol MapContent {
    associatedtype Body: MapContent
    @MapContentBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: MapContent {}

extension MapContent where Body == Never {
    public var body: Never { preconditionFailure("\(Self.self) has no body.") }
}

@resultBuilder
public struct MapContentBuilder {
    public static func buildExpression<Content: MapContent>(_ content: Content) -> Content { content }

    public static func buildBlock() -> EmptyMapContent { EmptyMapContent() }

    public static func buildBlock<C: MapContent>(_ content: C) -> C { content }

    @MainActor public static func buildBlock<each Content: MapContent>(_ content: repeat each Content)
        -> TupleMapContent<(repeat each Content)>
    {
        TupleMapContent((repeat each content))
    }

    public static func buildIf<Content: MapContent>(_ content: Content?) -> Content? { content }
}

public struct EmptyMapContent: MapContent, ReadableMapContent {
    public typealias Body = Never
    public nonisolated init() {}
    func draw(on map: ShownMap, in reading: Reading) {}
}

public struct TupleMapContent<T>: MapContent, ReadableMapContent {
    public typealias Body = Never
    let value: T

    init(_ value: T) { self.value = value }

    func draw(on map: ShownMap, in reading: Reading) {
        for (index, child) in Mirror(reflecting: value).children.enumerated() {
            reading.inside("\(index)") { (child.value as? any MapContent)?.read(on: map, in: reading) }
        }
    }
}

extension Optional: MapContent where Wrapped: MapContent {}

extension Optional: ReadableMapContent where Wrapped: MapContent {
    func draw(on map: ShownMap, in reading: Reading) { self?.read(on: map, in: reading) }
}

extension ForEach: MapContent where Content: MapContent {
    public init(_ data: Data, @MapContentBuilder content: @escaping (Data.Element) -> Content)
    where Data.Element: Identifiable, ID == Data.Element.ID {
        self.init(data, identity: { $0.id }, makeContent: content)
    }
}

extension ForEach: ReadableMapContent where Content: MapContent {
    func draw(on map: ShownMap, in reading: Reading) {
        for item in data {
            reading.inside("\(identity(of: item))") { content(item).read(on: map, in: reading) }
        }
    }
}

/// A content with another look, or a tag.
struct ChangedMapContent<Content: MapContent>: MapContent, ReadableMapContent {
    public typealias Body = Never
    let content: Content
    let change: @MainActor (inout ShownMap.Item) -> Void

    func draw(on map: ShownMap, in reading: Reading) {
        let count = map.items.count
        content.read(on: map, in: reading)
        for index in map.items.indices.dropFirst(count) { change(&map.items[index]) }
    }
}

extension MapContent {
    public func tag<V: Hashable>(_ tag: V) -> some MapContent {
        ChangedMapContent(content: self) { $0.tag = AnyHashable(tag) }
    }

    public func annotationTitles(_ visibility: Visibility) -> some MapContent {
        ChangedMapContent(content: self) { $0.isTitleHidden = visibility == .hidden }
    }

    public func stroke(_ content: some ShapeStyle, lineWidth: CGFloat = 1) -> some MapContent {
        ChangedMapContent(content: self) { $0.color = content as? Color }
    }
}

/// A content that draws itself; Apple's MapKit has nothing like it.
@MainActor protocol ReadableMapContent {
    func draw(on map: ShownMap, in reading: Reading)
}

extension MapContent {
    /// Draws the content, or that of its body.
    func read(on map: ShownMap, in reading: Reading) {
        if let readable = self as? any ReadableMapContent { return readable.draw(on: map, in: reading) }
        reading.inside("\(Self.self)") { body.read(on: map, in: reading) }
    }
}
