// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@propertyWrapper
public struct Namespace: DynamicProperty {
    public struct ID: Hashable, Sendable {}

    public init() {}

    public var wrappedValue: Namespace.ID { ID() }
}
