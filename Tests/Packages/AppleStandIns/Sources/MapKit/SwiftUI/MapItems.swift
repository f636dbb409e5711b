// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CoreLocation
public import SwiftUI

public struct Annotation<Label: View, Content: View>: MapContent, ReadableMapContent {
    public typealias Body = Never
    let coordinate: CLLocationCoordinate2D
    let anchor: UnitPoint
    let label: Label
    let content: Content

    func draw(on map: ShownMap, in reading: Reading) {
        var item = ShownMap.Item(.annotation, [coordinate])
        item.title = reading.inside("label") { label.read(in: reading) }.flatMap(\.texts).joined(
            separator: ", "
        )
        item.elements = reading.inside("content") { content.read(in: reading) }
        map.items.append(item)
    }
}

extension Annotation where Label == Text {
    public init<S: StringProtocol>(
        _ title: S,
        coordinate: CLLocationCoordinate2D,
        anchor: UnitPoint = .center,
        @ViewBuilder content: () -> Content
    ) {
        (self.coordinate, self.anchor) = (coordinate, anchor)
        (label, self.content) = (Text(title), content())
    }
}

public struct MapPolyline: MapContent, ReadableMapContent {
    public typealias Body = Never

    public struct ContourStyle: Hashable, Sendable {
        private let name: String
        public static var geodesic: MapPolyline.ContourStyle { ContourStyle(name: "geodesic") }
        public static var straight: ContourStyle { ContourStyle(name: "straight") }
    }

    let coordinates: [CLLocationCoordinate2D]
    let contourStyle: ContourStyle

    public nonisolated init(
        coordinates: [CLLocationCoordinate2D],
        contourStyle: MapPolyline.ContourStyle = .straight
    ) {
        (self.coordinates, self.contourStyle) = (coordinates, contourStyle)
    }

    func draw(on map: ShownMap, in reading: Reading) {
        map.items.append(ShownMap.Item(.line, coordinates))
    }
}

public struct DefaultUserAnnotationContent: View {
    public var body: some View { EmptyView() }
}

public struct UserAnnotation<Content: View>: MapContent, ReadableMapContent {
    public typealias Body = Never

    func draw(on map: ShownMap, in reading: Reading) {
        map.items.append(ShownMap.Item(.ownPlace, []))
    }
}

extension UserAnnotation where Content == DefaultUserAnnotationContent {
    public init() {}
}
