import YonderModel

/// The color that every client draws for a participant: hues turn by the golden angle, so that no two are the same.
///
/// The numbers must stay: clients of all versions draw the same color for a person, from the index that is stored
/// (`Documentation/stream.md`, `ChatRulesTests`).
package struct ParticipantColor: Hashable, Sendable {
    /// Degrees on the color wheel, in `0..<360`.
    package let hue: Double

    /// In `0...1`.
    package let saturation: Double

    /// In `0...1`.
    package let lightness: Double

    /// The color of an index from 0, as ``Participant/color`` has it; a negative one counts as 0.
    package init(index: Int) {
        let index = max(0, index)
        hue = (210 + Double(index) * 137.507_764_050_037_85).truncatingRemainder(dividingBy: 360)
        saturation = [0.70, 0.55, 0.85][index / 12 % 3]
        lightness = [0.42, 0.32, 0.52][index / 36 % 3]
    }
}
