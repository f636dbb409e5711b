/// A position as an object of numbers, in JSON or any other `Codable` format.
///
/// | key | unit and range |
/// |---|---|
/// | `latitude` | degrees north, `-90...90` |
/// | `longitude` | degrees east, `-180...180`; 180 is read as −180 |
/// | `altitude` | meters above mean sea level |
/// | `horizontalAccuracy`, `verticalAccuracy` | meters, not negative |
/// | `course` | degrees from true north, `0...360`; 360 is read as 0 |
/// | `speed` | meters per second, not negative |
/// | `timestamp` | whole milliseconds since 1970; a part of one is rounded |
/// | `magneticHeading`, `trueHeading` | degrees, `0...360`; 360 is read as 0 |
/// | `headingAccuracy` | degrees to either side, `0..<360` |
///
/// `latitude`, `longitude` and `timestamp` are required. Any other value that is `nil` isn't written, and a
/// missing key or `null` becomes `nil`. A value out of range is refused; keys that aren't listed are ignored.
/// ``heading``, from an unspecified north, is neither written nor read.
///
/// Apps may store and send positions by it with `JSONEncoder`; the stream and the store have their own form in
/// `Message+Position.swift`, and don't use this. Reading throws what the decoder throws, writing what the encoder does. Keys
/// and units must stay, because apps may have such files; a further key must be optional (`PositionCodingTests`).
extension Position: Codable {
    fileprivate enum CodingKeys: String, CodingKey {
        case latitude, longitude, altitude, horizontalAccuracy, verticalAccuracy, course, speed, timestamp
        case magneticHeading, trueHeading, headingAccuracy
    }

    /// Reads a position.
    ///
    /// - Throws: `DecodingError` if a required key is missing, or if a value isn't a number or is out of
    ///   range.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            coordinate: try values.coordinate(),
            timestamp: try values.timestamp(),
            altitude: try values.value(.altitude, Distance.init(meters:)),
            horizontalAccuracy: try values.value(.horizontalAccuracy, Self.accuracy),
            verticalAccuracy: try values.value(.verticalAccuracy, Self.accuracy),
            course: try values.value(.course, Self.direction),
            speed: try values.value(.speed, Speed.init(metersPerSecond:)),
            magneticHeading: try values.value(.magneticHeading, Self.direction),
            trueHeading: try values.value(.trueHeading, Self.direction),
            headingAccuracy: try values.value(.headingAccuracy, Self.angularAccuracy)
        )
    }

    /// Writes a position, without values that are `nil` and without ``heading``.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(coordinate.latitude, forKey: .latitude)
        try values.encode(coordinate.longitude, forKey: .longitude)
        try values.encodeIfPresent(altitude?.meters, forKey: .altitude)
        try values.encodeIfPresent(horizontalAccuracy?.meters, forKey: .horizontalAccuracy)
        try values.encodeIfPresent(verticalAccuracy?.meters, forKey: .verticalAccuracy)
        try values.encodeIfPresent(course?.degrees, forKey: .course)
        try values.encodeIfPresent(speed?.metersPerSecond, forKey: .speed)
        try values.encode(timestamp.milliseconds, forKey: .timestamp)
        try values.encodeIfPresent(magneticHeading?.degrees, forKey: .magneticHeading)
        try values.encodeIfPresent(trueHeading?.degrees, forKey: .trueHeading)
        try values.encodeIfPresent(headingAccuracy, forKey: .headingAccuracy)
    }

    private static func accuracy(_ meters: Double) -> Distance? {
        meters < 0 ? nil : Distance(meters: meters)
    }

    private static func direction(_ degrees: Double) -> Bearing? {
        (0...360).contains(degrees) ? Bearing(degrees: degrees) : nil
    }

    private static func angularAccuracy(_ degrees: Double) -> Double? {
        (0..<360).contains(degrees) ? degrees : nil
    }
}

extension KeyedDecodingContainer<Position.CodingKeys> {
    fileprivate func coordinate() throws -> Coordinate {
        let latitude = try decode(Double.self, forKey: .latitude)
        let longitude = try decode(Double.self, forKey: .longitude)
        guard (-180...180).contains(longitude) else { throw outOfRange(.longitude, longitude) }
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
            throw outOfRange(.latitude, latitude)
        }
        return coordinate
    }

    fileprivate func timestamp() throws -> Timestamp {
        if let milliseconds = try? decode(Int64.self, forKey: .timestamp) {
            return Timestamp(milliseconds: milliseconds)
        }
        let number = try decode(Double.self, forKey: .timestamp)
        guard let milliseconds = Int64(exactly: number.rounded()) else {
            throw outOfRange(.timestamp, number)
        }
        return Timestamp(milliseconds: milliseconds)
    }

    /// The number of a key in its unit, or `nil` if the key is missing.
    fileprivate func value<Value>(_ key: Key, _ make: (Double) -> Value?) throws -> Value? {
        guard let number = try decodeIfPresent(Double.self, forKey: key) else { return nil }
        guard let value = make(number) else { throw outOfRange(key, number) }
        return value
    }

    private func outOfRange(_ key: Key, _ number: Double) -> DecodingError {
        DecodingError.dataCorruptedError(
            forKey: key,
            in: self,
            debugDescription: "\(number) is out of range."
        )
    }
}
