// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported public import Foundation

@MainActor
open class UIResponder: NSObject {}

/// What stands for UIKit's views: nothing is drawn.
@MainActor
open class UIView: UIResponder {
    open var frame: CGRect
    open var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }
    open var accessibilityLabel: String?

    public init(frame: CGRect) {
        self.frame = frame
        super.init()
    }

    public override convenience init() {
        self.init(frame: .zero)
    }

    open func sizeToFit() {}

    /// Performs the changes at once: there are no animations.
    public class func animate(
        withDuration duration: TimeInterval,
        animations: @escaping () -> Void
    ) {
        animations()
    }
}

public struct UIEdgeInsets: Equatable, Sendable {
    public var top: CGFloat
    public var left: CGFloat
    public var bottom: CGFloat
    public var right: CGFloat

    public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }
}

/// The settings of a device; a test changes ``reducesMotion``, which Apple's module doesn't have.
@MainActor
public enum UIAccessibility {
    public static var isReduceMotionEnabled: Bool { reducesMotion }

    package static var reducesMotion = false
}
