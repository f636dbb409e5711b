import YonderGeodesy
import YonderTracks

/// Places with a few properties, as files in two formats.
struct Places {
    private(set) var geoJSON: [UInt8] = []
    private(set) var csv: [UInt8] = []

    /// Makes files of at least so many bytes each.
    init(atLeast size: Int) {
        var collection = GeoJSONWriter()
        var table = CSVWriter(columns: ["id", "name", "address", "lat", "lon", "capacity"])
        var number = 0
        while geoJSON.count < size || csv.count < size {
            number += 1
            // Multiples of the golden ratio's fraction, which lie everywhere and have all their digits.
            let fraction = (Double(number) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
            let (latitude, longitude) = (fraction * 170 - 85, Double(number % 360) - 180 + fraction)
            let (name, address) = ("Stand \(number)", "Karl Johans gate \(number % 300), 0154 Oslo")
            let values = [
                ("name", "\"\(name)\""), ("address", "\"\(address)\""), ("capacity", "\(number % 50)"),
                ("open", "true"),
            ]
            let members = values.map { GeoJSONProperties.Member(key: $0.0, json: Array($0.1.utf8)) }
            guard
                let coordinate = Coordinate(latitude: latitude, longitude: longitude),
                let properties = GeoJSONProperties(members)
            else { continue }
            let geometry = GeoJSONFeature.Geometry.point(coordinate, altitude: nil)
            collection.write(
                GeoJSONFeature(id: .init(Int64(number)), geometry: geometry, properties: properties)
            )
            table.write(["\(number)", name, address, "\(latitude)", "\(longitude)", "\(number % 50)"])
            if number % 1000 == 0 {
                geoJSON += collection.takeBytes()
                csv += table.takeBytes()
            }
        }
        collection.finish()
        geoJSON += collection.takeBytes()
        csv += table.takeBytes()
    }
}
