/// The texts of the callout of a map's selected item.
///
/// An app passes one to `PeopleMap` or `MapDriver` of `YonderMap` with each update; `Callout.onMap` and `PlaceRow.onMap` of
/// `YonderAppModels` make them. The map shows it above the pin whose id is ``id``, and nothing if no such pin is drawn. A
/// tap on the button calls the map's `onOpen` with the value behind the pin; this value has no action of its own. Making one
/// never fails.
///
/// The type is here, beside `MapAnnotations`, because `YonderMap` and `YonderAppModels` don't import each other. It is
/// public: a changed or removed property breaks apps (`make check-api`). How the texts are drawn is decided in `YonderMap`
/// (`MapSelectionTests`).
public struct MapCallout: Hashable, Sendable, Identifiable {
    /// The id of the item: that of a pin, a stop or an object in `MapAnnotations`.
    public let id: String

    /// The title, such as the person's name.
    public var title: String

    /// The lines below the title, from above; the initializer leaves out empty ones.
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
