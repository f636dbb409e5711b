// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

open class UIColor: NSObject, @unchecked Sendable {
    // Safe because nothing changes after the initializer.
    private let parts: [CGFloat]

    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        parts = [red, green, blue, alpha]
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UIColor)?.parts == parts
    }

    open override var hash: Int { parts.hashValue }
}

open class UIFont: NSObject, @unchecked Sendable {
    // Safe because nothing changes after the initializer.
    public struct TextStyle: Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let footnote = TextStyle(rawValue: "UICTFontTextStyleFootnote")
    }

    open class func preferredFont(forTextStyle style: TextStyle) -> UIFont { UIFont() }
}

/// A picture: the name of its symbol and its color.
open class UIImage: NSObject, @unchecked Sendable {
    // Safe because nothing changes after the initializer.
    public enum RenderingMode: Int, Sendable {
        case automatic
        case alwaysOriginal
        case alwaysTemplate
    }

    // Safe because there is nothing in it.
    open class Configuration: NSObject, @unchecked Sendable {}

    // Safe because there is nothing in it.
    open class SymbolConfiguration: Configuration, @unchecked Sendable {
        public convenience init(pointSize: CGFloat) { self.init() }
    }

    /// The name of the symbol.
    package let symbol: String

    /// The color in which the symbol is drawn, or `nil`.
    package let tint: UIColor?

    public convenience init?(systemName name: String, withConfiguration configuration: Configuration?) {
        self.init(symbol: name, tint: nil)
    }

    private init(symbol: String, tint: UIColor?) {
        (self.symbol, self.tint) = (symbol, tint)
    }

    open func withTintColor(_ color: UIColor, renderingMode: RenderingMode) -> UIImage {
        UIImage(symbol: symbol, tint: color)
    }
}
