// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import UIKit

@MainActor @preconcurrency
public protocol UIViewRepresentable: View where Self.Body == Never {
    associatedtype UIViewType: UIView
    @MainActor @preconcurrency func makeUIView(context: Self.Context) -> Self.UIViewType
    @MainActor @preconcurrency func updateUIView(_ uiView: Self.UIViewType, context: Self.Context)
    @MainActor @preconcurrency static func dismantleUIView(
        _ uiView: Self.UIViewType,
        coordinator: Self.Coordinator
    )
    associatedtype Coordinator = Void
    @MainActor @preconcurrency func makeCoordinator() -> Self.Coordinator
    typealias Context = UIViewRepresentableContext<Self>
}

extension UIViewRepresentable where Coordinator == Void {
    public func makeCoordinator() {}
}

extension UIViewRepresentable {
    public static func dismantleUIView(_ uiView: Self.UIViewType, coordinator: Self.Coordinator) {}

    public var body: Never { preconditionFailure("\(Self.self) has no body.") }
}

@MainActor @preconcurrency
public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {
    public let coordinator: Representable.Coordinator
    public let environment: EnvironmentValues

    init(_ coordinator: Representable.Coordinator, _ environment: EnvironmentValues) {
        (self.coordinator, self.environment) = (coordinator, environment)
    }
}

/// What is kept of a view that isn't SwiftUI's.
@MainActor private final class Represented<Representable: UIViewRepresentable> {
    let coordinator: Representable.Coordinator
    var view: Representable.UIViewType?
    init(_ representable: Representable) { coordinator = representable.makeCoordinator() }
}

extension UIViewRepresentable {
    /// Makes the view at its first reading, and updates it at each one.
    func represented(in reading: Reading) -> [Element] {
        let kept = reading.remembered("\(Self.self)") { Represented(self) }
        let context = UIViewRepresentableContext<Self>(kept.coordinator, reading.environment)
        let view = kept.view ?? makeUIView(context: context)
        kept.view = view
        updateUIView(view, context: context)
        var element = Element(.foreign)
        element.view = view
        return [element]
    }
}
