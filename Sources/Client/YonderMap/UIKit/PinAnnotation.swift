#if canImport(MapKit) && canImport(UIKit)
import CoreLocation
import MapKit
import UIKit
import YonderClient

/// The one annotation of an item of the map, from when the item comes until it leaves.
///
/// MapKit observes the position and the title of an `MKPointAnnotation`, so that the view follows when they change.
///
/// `MapDriver` makes one, moves it by ``take(_:)`` and removes it, on the main actor; MapKit draws it (`MapDriverTests` in
/// `make test-apple`).
final class PinAnnotation: MKPointAnnotation {
    /// The item as it is drawn now.
    private(set) var pin: DrawnPin

    init(_ pin: DrawnPin) {
        self.pin = pin
        super.init()
        coordinate = CLLocationCoordinate2D(pin.coordinate)
        title = pin.label
    }

    /// Draws a newer version of the same item.
    func take(_ pin: DrawnPin) {
        let older = self.pin
        self.pin = pin
        if pin.coordinate != older.coordinate { coordinate = CLLocationCoordinate2D(pin.coordinate) }
        if pin.label != older.label { title = pin.label }
    }
}

extension UIColor {
    convenience init(_ color: PersonColor) {
        self.init(red: color.red, green: color.green, blue: color.blue, alpha: 1)
    }
}
#endif
