/// How far the permission reaches that a program asks for.
public enum AuthorizationRequest: String, Hashable, Sendable, CaseIterable {
    /// While the program is used.
    case whenInUse

    /// Also while it is in the background.
    case always
}
