#if canImport(MapKit) && canImport(SwiftUI)
import CoreLocation
import MapKit
import SwiftUI
// Not all of YonderClient: its `Annotation` is another type than MapKit's.
import struct YonderClient.MapCallout

/// The content of a map: lines below, then stops, objects and people, and the system's dot.
struct MapLayers: MapContent {
    let drawing: MapDrawing
    let callout: MapCallout?
    let showsOwnPlace: Bool
    let onOpen: (DrawnPin) -> Void

    var body: some MapContent {
        ForEach(drawing.sortedLines) { line in
            MapPolyline(coordinates: line.places, contourStyle: .geodesic)
                .stroke(line.paint, lineWidth: 4)
        }
        ForEach(drawing.pins(.stop)) { pin in
            Annotation(pin.label, coordinate: pin.place) {
                PinView(pin: pin, callout: texts(of: pin)) { onOpen(pin) }
            }
            .annotationTitles(.hidden)
            .tag(pin.id)
        }
        ForEach(drawing.pins(.object) + drawing.pins(.person)) { pin in
            Annotation(pin.label, coordinate: pin.place, anchor: .bottom) {
                PinView(pin: pin, callout: texts(of: pin)) { onOpen(pin) }
            }
            .tag(pin.id)
        }
        if showsOwnPlace { UserAnnotation() }
    }

    private func texts(of pin: DrawnPin) -> MapCallout? {
        callout?.id == pin.id ? callout : nil
    }
}
#endif
