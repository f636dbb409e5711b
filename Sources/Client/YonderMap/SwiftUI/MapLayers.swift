#if canImport(MapKit) && canImport(SwiftUI)
import CoreLocation
import MapKit
import SwiftUI
// Not all of YonderClient: its `Annotation` is another type than MapKit's.
import struct YonderClient.MapCallout

/// The content of a map: lines below, then stops, objects and people, and the system's dot.
///
/// `PeopleMap` makes one at each drawing. It decides nothing. The order of layers, from below, and that pins are listed by
/// their ids, must stay: SwiftUI keeps a view by both (`make test-example` shows each screen against stand-ins).
struct MapLayers: MapContent {
    let drawing: MapDrawing
    let callout: MapCallout?
    let showsOwnPlace: Bool
    let label: ((String) -> String)?
    let onOpen: (DrawnPin) -> Void

    var body: some MapContent {
        ForEach(drawing.sortedLines) { line in
            MapPolyline(coordinates: line.places, contourStyle: .geodesic)
                .stroke(line.paint, lineWidth: 4)
        }
        ForEach(drawing.pins(.stop)) { pin in
            Annotation(pin.label, coordinate: pin.place) {
                view(of: pin)
            }
            .annotationTitles(.hidden)
            .tag(pin.id)
        }
        ForEach(drawing.pins(.object) + drawing.pins(.person)) { pin in
            Annotation(pin.label, coordinate: pin.place, anchor: .bottom) {
                view(of: pin)
            }
            .tag(pin.id)
        }
        if showsOwnPlace { UserAnnotation() }
    }

    private func view(of pin: DrawnPin) -> PinView {
        PinView(pin: pin, callout: callout?.id == pin.id ? callout : nil, label: label) { onOpen(pin) }
    }
}
#endif
