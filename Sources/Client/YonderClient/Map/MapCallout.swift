/// The texts of the callout of a map's selected item.
public struct MapCallout: Hashable, Sendable, Identifiable {
    /// The id of the item: of a pin, a stop or an object.
    public let id: String

    /// The title, such as the person's name.
    public var title: String

    /// The lines below the title; none of them is empty.
    public var lines: [String]

    /// The text of the callout's button, or `nil` for a callout without a button.
    public var button: String?

    /// What VoiceOver reads for the button, or `nil` if VoiceOver reads ``button``.
    public var spokenButton: String?

    /// Creates the texts of a callout, without those lines that are empty.
    public init(
        id: String,
        title: String,
        lines: [String] = [],
        button: String? = nil,
        spokenButton: String? = nil
    ) {
        self.id = id
        self.title = title
        self.lines = lines.filter { !$0.isEmpty }
        self.button = button
        self.spokenButton = spokenButton
    }
}
