// `MapItem` and `Face` draw it; it can't fail, and must give the page's letters (`MapDrawingTests`).
extension String {
    /// The one or two letters that stand for a person of this name, as on the page; `?` for an empty name.
    package var initials: String {
        let words = split(whereSeparator: \.isWhitespace)
        guard let first = words.first?.first, let last = words.last?.first else { return "?" }
        return (words.count == 1 ? "\(first)" : "\(first)\(last)").uppercased()
    }
}
