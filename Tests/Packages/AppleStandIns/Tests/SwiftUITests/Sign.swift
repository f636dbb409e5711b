import SwiftUI
// A file that imports Testing, too, would need an overlay of both, which Linux lacks.
import UIKit

final class SignView: UIView {
    var text = ""
}

struct Sign: UIViewRepresentable {
    let text: String
    func makeUIView(context: Context) -> SignView { SignView() }
    func updateUIView(_ view: SignView, context: Context) { view.text = text }
}
