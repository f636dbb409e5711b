// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CoreLocation
import Foundation
public import UIKit

public protocol MKOverlay: MKAnnotation {
    var coordinate: CLLocationCoordinate2D { get }
}

open class MKMultiPoint: MKShape {
    /// The coordinates of the points.
    package let coordinates: [CLLocationCoordinate2D]

    init(coordinates: [CLLocationCoordinate2D]) {
        self.coordinates = coordinates
    }

    open var pointCount: Int { coordinates.count }
}

open class MKPolyline: MKMultiPoint, MKOverlay {
    public convenience init(coordinates coords: UnsafePointer<CLLocationCoordinate2D>, count: Int) {
        self.init(coordinates: Array(UnsafeBufferPointer(start: coords, count: count)))
    }

    open var coordinate: CLLocationCoordinate2D { coordinates.first ?? CLLocationCoordinate2D() }
}

open class MKGeodesicPolyline: MKPolyline {}

open class MKOverlayRenderer: NSObject {
    public let overlay: any MKOverlay

    public init(overlay: any MKOverlay) {
        self.overlay = overlay
    }
}

open class MKOverlayPathRenderer: MKOverlayRenderer {
    open var fillColor: UIColor?
    open var strokeColor: UIColor?
    open var lineWidth: CGFloat = 0
}

open class MKPolylineRenderer: MKOverlayPathRenderer {
    public convenience init(polyline: MKPolyline) {
        self.init(overlay: polyline)
    }

    open var polyline: MKPolyline {
        guard let line = overlay as? MKPolyline else { preconditionFailure("The overlay is no line.") }
        return line
    }
}
