// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

@MainActor
open class UIResponder: NSObject {}

/// What stands for UIKit's views: nothing is drawn.
@MainActor
open class UIView: UIResponder {
    public override init() {}
}
