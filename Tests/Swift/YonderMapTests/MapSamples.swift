import YonderClient
import YonderGeodesy

/// A place that is known to be one.
func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    guard let place = Coordinate(latitude: latitude, longitude: longitude) else {
        preconditionFailure("\(latitude), \(longitude) is no place.")
    }
    return place
}

/// A pin of a person, an older one at another place or with another name.
func pin(_ id: String, at place: Coordinate = place(47, 9), name: String? = "Eva Beck") -> MapPin {
    MapPin(id: id, coordinate: place, color: PersonColor(hue: 200), name: name)
}

/// A map with people.
func people(_ pins: MapPin...) -> MapAnnotations {
    var map = MapAnnotations()
    for pin in pins { map.pins[pin.id] = pin }
    return map
}
