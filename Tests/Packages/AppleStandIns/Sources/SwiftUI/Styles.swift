// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

public struct Font: Hashable, Sendable {
    private let name: String

    public static let largeTitle = Font(name: "largeTitle")
    public static let title = Font(name: "title")
    public static let title2 = Font(name: "title2")
    public static let title3 = Font(name: "title3")
    public static let headline = Font(name: "headline")
    public static let subheadline = Font(name: "subheadline")
    public static let body = Font(name: "body")
    public static let callout = Font(name: "callout")
    public static let footnote = Font(name: "footnote")
    public static let caption = Font(name: "caption")
    public static let caption2 = Font(name: "caption2")

    public enum TextStyle: CaseIterable, Sendable {
        case largeTitle, title, title2, title3, headline, subheadline, body, callout, footnote, caption,
            caption2
    }
}

public protocol ShapeStyle: Sendable {}

public struct Color: Hashable, View, ShapeStyle, ReadableView {
    public typealias Body = Never
    private let name: String

    public init(hue: Double, saturation: Double, brightness: Double, opacity: Double = 1) {
        name = "\(hue), \(saturation), \(brightness), \(opacity)"
    }

    public init(
        _ colorSpace: Color.RGBColorSpace = .sRGB,
        red: Double,
        green: Double,
        blue: Double,
        opacity: Double = 1
    ) {
        name = "\(red), \(green), \(blue), \(opacity)"
    }

    private init(name: String) { self.name = name }

    public enum RGBColorSpace: Hashable, Sendable {
        case sRGB
        case sRGBLinear
        case displayP3
    }

    public static let accentColor = Color(name: "accentColor")
    public static let primary = Color(name: "primary")
    public static let secondary = Color(name: "secondary")
    public static let red = Color(name: "red")
    public static let blue = Color(name: "blue")
    public static let green = Color(name: "green")
    public static let purple = Color(name: "purple")
    public static let white = Color(name: "white")
    public static let clear = Color(name: "clear")

    package func elements(in reading: Reading) -> [Element] { [] }
}

extension ShapeStyle where Self == Color {
    @MainActor public static var red: Color { .red }
    @MainActor public static var blue: Color { .blue }
    @MainActor public static var green: Color { .green }
    @MainActor public static var purple: Color { .purple }
    @MainActor public static var white: Color { .white }
}

public struct HierarchicalShapeStyle: ShapeStyle {
    private let level: Int
    public static let primary = HierarchicalShapeStyle(level: 1)
    public static let secondary = HierarchicalShapeStyle(level: 2)
    public static let tertiary = HierarchicalShapeStyle(level: 3)
    public static let quaternary = HierarchicalShapeStyle(level: 4)
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    public static var primary: HierarchicalShapeStyle { .primary }
    public static var secondary: HierarchicalShapeStyle { .secondary }
    public static var tertiary: HierarchicalShapeStyle { .tertiary }
    public static var quaternary: HierarchicalShapeStyle { .quaternary }
}

public struct TintShapeStyle: ShapeStyle { public init() {} }

extension ShapeStyle where Self == TintShapeStyle {
    public static var tint: TintShapeStyle { TintShapeStyle() }
}

public struct Material: ShapeStyle {
    private let name: String
    public static let bar = Material(name: "bar")
    public static let regular = Material(name: "regular")
}

extension ShapeStyle where Self == Material {
    public static var bar: Material { .bar }
    public static var regularMaterial: Material { .regular }
}

public protocol Shape: Sendable, View {}

public struct Circle: Shape, ReadableView {
    public typealias Body = Never
    public init() {}
    package func elements(in reading: Reading) -> [Element] { [] }
}

public struct RoundedRectangle: Shape, ReadableView {
    public typealias Body = Never
    public init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {}
    package func elements(in reading: Reading) -> [Element] { [] }
}

public enum RoundedCornerStyle: Sendable {
    case circular
    case continuous
}

extension Shape {
    public func fill<S: ShapeStyle>(_ content: S, style: FillStyle = FillStyle()) -> some View { self }
}

public struct FillStyle: Equatable, Sendable { public init() {} }

@propertyWrapper
public struct ScaledMetric<Value>: DynamicProperty where Value: BinaryFloatingPoint {
    public let wrappedValue: Value
    public init(wrappedValue: Value, relativeTo textStyle: Font.TextStyle) {
        self.wrappedValue = wrappedValue
    }
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

public enum TextAlignment: Hashable, CaseIterable, Sendable {
    case leading
    case center
    case trailing
}

extension View {
    public func font(_ font: Font?) -> some View { self }
    public func bold(_ isActive: Bool = true) -> some View { self }
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { self }
    public func tint<S: ShapeStyle>(_ tint: S?) -> some View { self }
    public func lineLimit(_ number: Int?) -> some View { self }
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { self }
    public func monospacedDigit() -> some View { self }

    public func background<S: ShapeStyle>(
        _ style: S,
        ignoresSafeAreaEdges edges: Edge.Set = .all
    ) -> some View { self }

    public func background<S: ShapeStyle, T: Shape>(
        _ style: S,
        in shape: T,
        fillStyle: FillStyle = FillStyle()
    ) -> some View { self }

    public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View { self }
    public func pickerStyle<S: PickerStyle>(_ style: S) -> some View { self }
    public func labelStyle<S: LabelStyle>(_ style: S) -> some View { self }
}

public protocol PrimitiveButtonStyle {}
public struct BorderedButtonStyle: PrimitiveButtonStyle { public init() {} }
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle { public init() {} }
public struct PlainButtonStyle: PrimitiveButtonStyle { public init() {} }

extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    public static var bordered: BorderedButtonStyle { BorderedButtonStyle() }
}

extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    public static var borderedProminent: BorderedProminentButtonStyle { BorderedProminentButtonStyle() }
}

extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    public static var plain: PlainButtonStyle { PlainButtonStyle() }
}

public protocol PickerStyle {}
public struct SegmentedPickerStyle: PickerStyle { public init() {} }
public struct InlinePickerStyle: PickerStyle { public init() {} }

extension PickerStyle where Self == SegmentedPickerStyle {
    public static var segmented: SegmentedPickerStyle { SegmentedPickerStyle() }
}

extension PickerStyle where Self == InlinePickerStyle {
    public static var inline: InlinePickerStyle { InlinePickerStyle() }
}

public protocol LabelStyle {}
public struct IconOnlyLabelStyle: LabelStyle { public init() {} }

extension LabelStyle where Self == IconOnlyLabelStyle {
    public static var iconOnly: IconOnlyLabelStyle { IconOnlyLabelStyle() }
}
