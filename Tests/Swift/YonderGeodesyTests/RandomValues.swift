import YonderGeodesy

extension Coordinate {
    /// A coordinate anywhere, with the poles, the antimeridian and the origin more often than by chance.
    static func random(using random: inout some RandomNumberGenerator) -> Coordinate {
        let latitudes: [Double] = [-90, -89.9999999, 0, 89.9999999, 90]
        let longitudes: [Double] = [-180, -179.9999999, -90, 0, 90, 179.9999999, 180]
        while true {
            let isSpecial = Int.random(in: 0..<4, using: &random) == 0
            let latitude = isSpecial ? latitudes.randomElement(using: &random) : nil
            let longitude = isSpecial ? longitudes.randomElement(using: &random) : nil
            let coordinate = Coordinate(
                latitude: latitude ?? .random(in: -90...90, using: &random),
                longitude: longitude ?? .random(in: -180...180, using: &random)
            )
            if let coordinate { return coordinate }
        }
    }
}
