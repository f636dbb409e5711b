import RealModule

/// A vector in space; that of a coordinate is a unit vector from the center of the Earth.
///
/// `TimedPolyline` and `Polyline+Simplification.swift` compute with it, because differences of near vectors are exact where
/// differences of angles aren't. Nothing fails. No vector is stored or sent; `PolylineTests` and `TimedPolylineTests` hold
/// the results.
struct Vector {
    let x: Double
    let y: Double
    let z: Double

    init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    init(_ coordinate: Coordinate) {
        let (latitude, longitude) = (coordinate.latitude / 180 * .pi, coordinate.longitude / 180 * .pi)
        x = .cos(latitude) * .cos(longitude)
        y = .cos(latitude) * .sin(longitude)
        z = .sin(latitude)
    }

    var length: Double { dot(self).squareRoot() }

    func dot(_ other: Vector) -> Double {
        x * other.x + y * other.y + z * other.z
    }

    func cross(_ other: Vector) -> Vector {
        Vector(
            x: y * other.z - z * other.y,
            y: z * other.x - x * other.z,
            z: x * other.y - y * other.x
        )
    }

    static func + (left: Vector, right: Vector) -> Vector {
        Vector(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
    }

    static func - (left: Vector, right: Vector) -> Vector {
        Vector(x: left.x - right.x, y: left.y - right.y, z: left.z - right.z)
    }

    static func * (vector: Vector, factor: Double) -> Vector {
        Vector(x: vector.x * factor, y: vector.y * factor, z: vector.z * factor)
    }
}
