import YonderModel

/// Ids as one parameter of a statement that reads the rows of all of them: a list for `json_each`.
///
/// Statements for a list of chats or users bind it, so that their text, and the prepared statement, is the same for any
/// number of them.
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
