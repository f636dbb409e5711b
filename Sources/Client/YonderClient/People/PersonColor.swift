public import YonderModel
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The color in which a person is drawn, the same on the page and in every app.
///
/// White reads on each color at a contrast of 6.3:1, and none is red, which stands for sharing.
///
/// A person has the same color in every view. Making one never fails. The page computes the same colors in `Web/app`: a change of either without the
/// other shows one person in two colors (`PersonColorTests`).
///
/// Shades may change together with the page's, within the contrast that is named above, which the test measures.
public struct PersonColor: Hashable, Sendable {
    /// Degrees on the color wheel, in `26...339`.
    public let hue: Int

    /// The part of red in sRGB, in `0...1`.
    public var red: Double { Double(shade.red) / 255 }

    /// The part of green in sRGB, in `0...1`.
    public var green: Double { Double(shade.green) / 255 }

    /// The part of blue in sRGB, in `0...1`.
    public var blue: Double { Double(shade.blue) / 255 }

    /// The color as `#rrggbb`.
    public var hex: String {
        "#" + [shade.red, shade.green, shade.blue].map { String($0 + 0x100, radix: 16).dropFirst() }.joined()
    }

    var shade: Shade { Shade.ofHue[hue - Hue.given.lowerBound] }

    /// Creates the color of a hue; another one than `26...339` becomes the nearest of these.
    public init(hue: Int) {
        let turned = (hue % 360 + 360) % 360
        self.hue = min(max(turned, Hue.given.lowerBound), Hue.given.upperBound)
    }

    /// Creates the color of a person: that of the account's hue.
    public init(of user: User) {
        self.init(id: user.id.description, hue: user.hue)
    }

    /// Creates the color of a member of the world, which every viewer draws from the member's id.
    public init(ofStranger id: String) {
        self.init(id: id, hue: nil)
    }

    /// Creates the color of a hue or, without one, a color of the id by FNV-1a over its Unicode scalars.
    init(id: String, hue: Int?) {
        let hash = id.unicodeScalars.reduce(UInt32(2_166_136_261)) { ($0 ^ $1.value) &* 16_777_619 }
        self.init(hue: hue ?? Hue.given.lowerBound + Int(hash % UInt32(Hue.given.count)))
    }
}

/// A color in sRGB.
struct Shade {
    /// The parts of the color, in `0...255`.
    let red, green, blue: Int

    /// The shades of ``YonderModel/Hue/given``, in order.
    static let ofHue = Hue.given.map { Shade(hue: Double($0)) }

    /// The lightest shade of a hue on which white reads at 6.3:1.
    private init(hue: Double) {
        var (dark, light) = (0.05, 0.7)
        for _ in 0..<12 {
            let middle = (dark + light) / 2
            if Self.contrastWithWhite(Self.parts(hue, middle)) >= 6.3 {
                dark = middle
            } else {
                light = middle
            }
        }
        let parts = Self.parts(hue, dark)
        (red, green, blue) = (parts[0], parts[1], parts[2])
    }

    /// Red, green and blue in `0...255` of a hue in HSL with a saturation of 0.68.
    private static func parts(_ hue: Double, _ lightness: Double) -> [Int] {
        [0.0, 8, 4].map { offset in
            let turn = (offset + hue / 30).truncatingRemainder(dividingBy: 12)
            let wave = max(-1, min(turn - 3, 9 - turn, 1))
            return Int((255 * (lightness - 0.68 * min(lightness, 1 - lightness) * wave)).rounded())
        }
    }

    /// As in WCAG 2.
    private static func contrastWithWhite(_ parts: [Int]) -> Double {
        let light = parts.map(linear)
        return 1.05 / (0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2] + 0.05)
    }

    private static func linear(_ part: Int) -> Double {
        let value = Double(part) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
}
