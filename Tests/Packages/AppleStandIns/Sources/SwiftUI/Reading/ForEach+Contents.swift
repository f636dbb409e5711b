// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// For contents that are no views, such as those of a map. Apple's SwiftUI has neither.
extension ForEach {
    /// Creates the contents of a collection's elements.
    package nonisolated init(
        _ data: Data,
        identity: @escaping (Data.Element) -> ID,
        makeContent: @escaping (Data.Element) -> Content
    ) {
        (self.data, content, id) = (data, makeContent, identity)
    }

    /// The identity of an element among the others.
    package func identity(of element: Data.Element) -> ID { id(element) }
}
