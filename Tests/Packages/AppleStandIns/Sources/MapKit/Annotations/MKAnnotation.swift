// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CoreLocation
import Foundation

public protocol MKAnnotation: NSObjectProtocol {
    var coordinate: CLLocationCoordinate2D { get }
    var title: String? { get }
    var subtitle: String? { get }
}

extension MKAnnotation {
    public var title: String? { nil }
    public var subtitle: String? { nil }
}

open class MKShape: NSObject {
    open var title: String?
    open var subtitle: String?
}

open class MKPointAnnotation: MKShape, MKAnnotation {
    /// MapKit observes the position, and moves the view.
    open var coordinate: CLLocationCoordinate2D = CLLocationCoordinate2D() {
        didSet { moved?() }
    }

    /// Called after each change of the position, in the place of key-value observing.
    var moved: (() -> Void)?

    public override init() {}

    public convenience init(coordinate: CLLocationCoordinate2D) {
        self.init(coordinate: coordinate, title: nil, subtitle: nil)
    }

    public convenience init(coordinate: CLLocationCoordinate2D, title: String?, subtitle: String?) {
        self.init()
        self.coordinate = coordinate
        (self.title, self.subtitle) = (title, subtitle)
    }
}

/// The user's own place, for which a map view shows the system's dot.
open class MKUserLocation: NSObject, MKAnnotation {
    open internal(set) var location: CLLocation?
    open var coordinate: CLLocationCoordinate2D { location?.coordinate ?? CLLocationCoordinate2D() }
    open var title: String? = "My Location"
    open var subtitle: String?
}
