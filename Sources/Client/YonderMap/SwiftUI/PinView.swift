#if canImport(MapKit) && canImport(SwiftUI)
import CoreLocation
import SwiftUI
import YonderClient

/// A pin or a stop, and above it the callout while the pin is selected.
///
/// SwiftUI views for `MapLayers`, drawn on the main actor; they decide nothing, texts and colors come from `DrawnPin` and
/// `MapCallout`. Sizes and shapes may change. What VoiceOver reads must stay the label (`make test-example` shows each screen
/// against stand-ins).
struct PinView: View {
    let pin: DrawnPin
    let callout: MapCallout?
    let label: ((String) -> String)?
    let onOpen: () -> Void

    var body: some View {
        VStack(spacing: 4) {
            if let callout { CalloutView(callout: callout, onOpen: onOpen) }
            mark.accessibilityLabel(pin.spoken(label))
        }
    }

    @ViewBuilder private var mark: some View {
        if pin.kind == .stop {
            Circle().fill(pin.paint).frame(width: 10, height: 10)
        } else {
            Text(pin.letters)
                .font(.footnote)
                .foregroundStyle(Color.white)
                .frame(width: 32, height: 32)
                .background(pin.paint, in: Circle())
        }
    }
}

/// The texts and the button of a callout.
struct CalloutView: View {
    let callout: MapCallout
    let onOpen: () -> Void

    var body: some View {
        VStack(alignment: .leading, spacing: 2) {
            Text(callout.title).font(.headline)
            // By their places: two lines may be alike.
            ForEach(Array(callout.lines.enumerated()), id: \.offset) { _, line in
                Text(line).font(.footnote)
            }
            if let button = callout.button {
                Button(button) { onOpen() }.accessibilityLabel(callout.spokenButton ?? button)
            }
        }
        .padding(.all, 8)
        .background(.regularMaterial, in: RoundedRectangle(cornerRadius: 12))
    }
}

extension DrawnPin {
    var place: CLLocationCoordinate2D { CLLocationCoordinate2D(coordinate) }
    @MainActor var paint: Color { Color(color) }
}

extension DrawnLine {
    var places: [CLLocationCoordinate2D] { points.map { CLLocationCoordinate2D($0) } }
    @MainActor var paint: Color { Color(color) }
}

extension Color {
    fileprivate init(_ color: PersonColor) {
        self.init(red: color.red, green: color.green, blue: color.blue)
    }
}
#endif
