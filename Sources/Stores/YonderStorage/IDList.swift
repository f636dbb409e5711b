import YonderModel

/// Ids as one parameter of a statement that reads the rows of all of them: a list for `json_each`.
struct IDList {
    /// The list as JSON.
    let text: String

    init(_ ids: some Sequence<Int64>) {
        text = "[\(ids.map(String.init).joined(separator: ","))]"
    }

    init(_ chats: [Chat]) {
        self.init(chats.lazy.map(\.id.rawValue))
    }
}
