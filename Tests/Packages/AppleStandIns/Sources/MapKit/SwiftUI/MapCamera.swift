// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CoreLocation
public import SwiftUI

public struct MapCamera: Sendable {
    public var centerCoordinate: CLLocationCoordinate2D
    public var distance: Double
    public var heading: Double
    public var pitch: Double

    public init(
        centerCoordinate: CLLocationCoordinate2D,
        distance: Double,
        heading: Double = 0,
        pitch: Double = 0
    ) {
        (self.centerCoordinate, self.distance) = (centerCoordinate, distance)
        (self.heading, self.pitch) = (heading, pitch)
    }
}

public struct MapCameraPosition: Sendable {
    enum Kind: Sendable {
        case automatic
        case user
        case camera(MapCamera)
        case rect(MKMapRect)
        case region(MKCoordinateRegion)
    }

    let kind: Kind

    /// Tells one position from another.
    var mark: String { "\(kind)" }

    public static var automatic: MapCameraPosition { MapCameraPosition(kind: .automatic) }
    public static func camera(_ camera: MapCamera) -> MapCameraPosition {
        MapCameraPosition(kind: .camera(camera))
    }
    public static func rect(_ rect: MKMapRect) -> MapCameraPosition { MapCameraPosition(kind: .rect(rect)) }
    public static func region(_ region: MKCoordinateRegion) -> MapCameraPosition {
        MapCameraPosition(kind: .region(region))
    }

    public var camera: MapCamera? {
        guard case .camera(let camera) = kind else { return nil }
        return camera
    }

    public var rect: MKMapRect? {
        guard case .rect(let rect) = kind else { return nil }
        return rect
    }

    public var region: MKCoordinateRegion? {
        guard case .region(let region) = kind else { return nil }
        return region
    }

    public var positionedByUser: Bool {
        guard case .user = kind else { return false }
        return true
    }
}

public struct MapCameraUpdateContext {
    public let camera: MapCamera
    public let rect: MKMapRect
    public let region: MKCoordinateRegion
}

public struct MapCameraUpdateFrequency: Hashable, Sendable {
    private let name: String
    public static var continuous: MapCameraUpdateFrequency { MapCameraUpdateFrequency(name: "continuous") }
    public static var onEnd: MapCameraUpdateFrequency { MapCameraUpdateFrequency(name: "onEnd") }
}

extension View {
    public func onMapCameraChange(
        frequency: MapCameraUpdateFrequency = .onEnd,
        _ action: @escaping (MapCameraUpdateContext) -> Void
    ) -> some View {
        changing { elements, _ in
            for element in elements.flatMap(\.all) { (element.view as? ShownMap)?.onCameraChange = action }
            return elements
        }
    }
}
