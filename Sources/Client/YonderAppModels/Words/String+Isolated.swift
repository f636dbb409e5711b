// As `Web/app/words/isolated.js` does it. `AppContext.say` and the models isolate names with it; it can't fail. Which
// characters count must be the page's (`WordsTests`).
extension String {
    /// The text of another person, isolated from the sentence around it (U+2068 to U+2069) if it has right-to-left letters.
    ///
    /// Embeddings, overrides and isolates that the text doesn't close are left out, so that it reorders no words around it.
    var isolated: String {
        let plain = closesIsolates ? self : String(unicodeScalars.filter { !Self.isControl($0) })
        guard plain.unicodeScalars.contains(where: Self.isRightToLeft), !plain.isIsolate else { return plain }
        return "\u{2068}\(plain)\u{2069}"
    }

    private var closesIsolates: Bool {
        var depth = 0
        for scalar in unicodeScalars where Self.isControl(scalar) {
            guard scalar.value >= 0x2066 else { return false }
            depth += scalar.value == 0x2069 ? -1 : 1
            if depth < 0 { return false }
        }
        return depth == 0
    }

    private var isIsolate: Bool {
        unicodeScalars.first == "\u{2068}"
            && unicodeScalars.firstIndex(of: "\u{2069}").map {
                unicodeScalars.index(after: $0) == unicodeScalars.endIndex
            } ?? false
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }

    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
