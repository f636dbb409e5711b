import YonderGeodesy

// `SharingClient+Sharing.swift` rounds every position that it sends; the page sends the same digits (`PositionTests`,
// `PhoneCostTests`).
extension Position {
    /// The position as it is sent: meters, meters per second and degrees of direction in tenths.
    ///
    /// No receiver is more exact, and each further digit is a byte that goes to everybody in the chat. Coordinates are sent with six
    /// decimals in any case.
    var inTenths: Position {
        Position(
            coordinate: coordinate,
            timestamp: timestamp,
            altitude: altitude?.inTenths,
            horizontalAccuracy: horizontalAccuracy?.inTenths,
            verticalAccuracy: verticalAccuracy?.inTenths,
            course: course?.inTenths,
            speed: speed.flatMap { Speed(metersPerSecond: tenths($0.metersPerSecond)) },
            heading: heading?.inTenths,
            magneticHeading: magneticHeading?.inTenths,
            trueHeading: trueHeading?.inTenths,
            headingAccuracy: headingAccuracy.map(tenths)
        )
    }
}

extension Distance {
    var inTenths: Distance? { Distance(meters: tenths(meters)) }
}

extension Bearing {
    fileprivate var inTenths: Bearing? { Bearing(degrees: tenths(degrees)) }
}

/// A number over 10¹⁴ has no tenths.
private func tenths(_ value: Double) -> Double {
    value.magnitude < 1e14 ? (value * 10).rounded() / 10 : value
}
