import SwiftUI
import YonderAppModels
import YonderClient

/// That there is no connection, above a screen.
struct ConnectionLine: View {
    let connection: ConnectionModel

    var body: some View {
        if let text = connection.text {
            Label(text, systemImage: "wifi.slash")
                .font(.footnote)
                .foregroundStyle(.secondary)
        }
    }
}

/// What is wrong, or what the person should know.
struct ProblemLine: View {
    let text: String

    var body: some View {
        Label(text, systemImage: "exclamationmark.triangle")
            .font(.callout)
            .foregroundStyle(.red)
    }
}

/// A person as a circle with letters; the size follows the person's choice of text size.
struct FaceView: View {
    @ScaledMetric(relativeTo: .body) private var size = 36.0
    let face: Face

    var body: some View {
        Text(face.initials)
            .font(.caption)
            .bold()
            .foregroundStyle(.white)
            .frame(width: size, height: size)
            .background(color, in: Circle())
            .accessibilityHidden(true)
    }

    private var color: Color {
        Color(red: face.color.red, green: face.color.green, blue: face.color.blue)
    }
}
