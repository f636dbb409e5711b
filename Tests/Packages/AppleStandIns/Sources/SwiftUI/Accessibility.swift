// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct AccessibilityAttachmentModifier {
    let change: @MainActor ([Element]) -> [Element]

    init(_ change: @escaping @MainActor ([Element]) -> [Element]) { self.change = change }
}

public struct AccessibilityChildBehavior: Hashable, Sendable {
    private let name: String
    public static let ignore = AccessibilityChildBehavior(name: "ignore")
    public static let contain = AccessibilityChildBehavior(name: "contain")
    public static let combine = AccessibilityChildBehavior(name: "combine")
}

public struct AccessibilityTraits: SetAlgebra, Sendable, Equatable {
    private var names: Set<String> = []
    public init() {}
    private init(name: String) { names = [name] }

    public static let isSelected = AccessibilityTraits(name: "isSelected")
    public static let isHeader = AccessibilityTraits(name: "isHeader")
    public static let updatesFrequently = AccessibilityTraits(name: "updatesFrequently")

    public func contains(_ member: AccessibilityTraits) -> Bool { names.isSuperset(of: member.names) }
    public func union(_ other: AccessibilityTraits) -> AccessibilityTraits { with { $0.formUnion(other) } }
    public func intersection(_ other: AccessibilityTraits) -> AccessibilityTraits {
        with { $0.formIntersection(other) }
    }
    public func symmetricDifference(_ other: AccessibilityTraits) -> AccessibilityTraits {
        with { $0.formSymmetricDifference(other) }
    }
    public mutating func insert(_ member: AccessibilityTraits)
        -> (inserted: Bool, memberAfterInsert: AccessibilityTraits)
    {
        let isNew = !contains(member)
        names.formUnion(member.names)
        return (isNew, member)
    }
    public mutating func remove(_ member: AccessibilityTraits) -> AccessibilityTraits? {
        guard contains(member) else { return nil }
        names.subtract(member.names)
        return member
    }
    public mutating func update(with member: AccessibilityTraits) -> AccessibilityTraits? {
        insert(member).inserted ? nil : member
    }
    public mutating func formUnion(_ other: AccessibilityTraits) { names.formUnion(other.names) }
    public mutating func formIntersection(_ other: AccessibilityTraits) {
        names.formIntersection(other.names)
    }
    public mutating func formSymmetricDifference(_ other: AccessibilityTraits) {
        names.formSymmetricDifference(other.names)
    }

    private func with(_ change: (inout AccessibilityTraits) -> Void) -> AccessibilityTraits {
        var traits = self
        change(&traits)
        return traits
    }
}

extension View {
    @_disfavoredOverload
    public func accessibilityLabel<S: StringProtocol>(_ label: S)
        -> ModifiedContent<Self, AccessibilityAttachmentModifier>
    {
        let text = String(label)
        return attaching { elements in
            guard elements.count == 1 else {
                var group = Element(.stack, "", elements)
                group.spoken = text
                return [group]
            }
            var element = elements[0]
            element.spoken = text
            return [element]
        }
    }

    @_disfavoredOverload
    public func accessibilityValue<S: StringProtocol>(_ value: S)
        -> ModifiedContent<Self, AccessibilityAttachmentModifier>
    {
        let text = String(value)
        return attaching { elements in
            elements.map { element in
                var element = element
                element.value = text
                return element
            }
        }
    }

    public func accessibilityHidden(_ hidden: Bool)
        -> ModifiedContent<Self, AccessibilityAttachmentModifier>
    {
        attaching { elements in elements.map { element in element.changing { $0.isHidden = hidden } } }
    }

    public func accessibilityAddTraits(_ traits: AccessibilityTraits)
        -> ModifiedContent<Self, AccessibilityAttachmentModifier>
    {
        attaching { elements in
            guard traits.contains(.isSelected) else { return elements }
            return elements.map { element in
                var element = element
                element.isSelected = true
                return element
            }
        }
    }

    public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View {
        changing { elements, _ in [Element(.stack, "", elements)] }
    }

    private func attaching(_ change: @escaping @MainActor ([Element]) -> [Element])
        -> ModifiedContent<Self, AccessibilityAttachmentModifier>
    {
        ModifiedContent(content: self, modifier: AccessibilityAttachmentModifier(change))
    }
}
