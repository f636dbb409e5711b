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
/// `MapAnnotations` and apps make one for each person; in a view of several people the colors are turned apart by
/// `PeopleColors`. Making one never fails. The page computes the same colors in `Web/app`: a change of either without the
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

    /// Creates the color of a person alone in a view, as in a list of contacts: that of the account's hue.
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

/// A color in sRGB and what a viewer with deuteranopia sees of it.
struct Shade {
    /// The parts of the color, in `0...255`.
    let red, green, blue: Int
    /// The color as it is seen with deuteranopia, in Oklab.
    let seen: [Double]

    /// The shades of ``YonderModel/Hue/given``, in order.
    static let ofHue = Hue.given.map { Shade(hue: Double($0)) }

    /// Two shades nearer to each other than this in Oklab look alike.
    private static let apart = 0.04

    /// Whether a viewer with deuteranopia, the most common color blindness, can hardly tell two shades apart.
    static func areAlike(_ one: Shade, _ other: Shade) -> Bool {
        zip(one.seen, other.seen).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot() < apart
    }

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
        seen = Self.oklab(Self.seen(parts.map(Self.linear)))
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

    /// Linear light as it is seen without cones for green.
    ///
    /// G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, *A
    /// Physiologically-based Model for Simulation of Color Vision Deficiency* (2009), at full severity.
    private static func seen(_ light: [Double]) -> [Double] {
        product(
            [
                [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ],
            light
        ).map { min(1, max(0, $0)) }
    }

    /// The color in Oklab.
    ///
    /// B. Ottosson, *A perceptual color space for image processing* (2020).
    private static func oklab(_ light: [Double]) -> [Double] {
        let cones = product(
            [
                [0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
                [0.0883024619, 0.2817188376, 0.6299787005],
            ],
            light
        )
        return product(
            [
                [0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
                [0.0259040371, 0.7827717662, -0.8086757660],
            ],
            cones.map(cbrt)
        )
    }

    private static func product(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
        matrix.map { row in zip(row, vector).reduce(0) { $0 + $1.0 * $1.1 } }
    }
}
