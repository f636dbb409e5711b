import YonderGeodesy

extension Coordinate {
    /// The latitude and the longitude with six decimals each, joined by a comma, as positions are sent.
    var sixDecimals: String {
        Self.sixDecimals(latitude) + "," + Self.sixDecimals(longitude)
    }

    private static func sixDecimals(_ degrees: Double) -> String {
        let millionths = Int64((degrees * 1_000_000).rounded())
        let (whole, fraction) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        let digits = String(fraction)
        let zeros = String(repeating: "0", count: 6 - digits.count)
        return (millionths < 0 ? "-" : "") + "\(whole).\(zeros)\(digits)"
    }
}
