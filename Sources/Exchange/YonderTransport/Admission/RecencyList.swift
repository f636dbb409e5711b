/// Elements in the order in which they were last touched; every operation takes constant time.
///
/// `Admission` has one of the connections that may be displaced, the longest silent first. It is a plain value, and
/// nothing fails. Constant time must stay: with thousands of connections, each event touches it (`AdmissionTests`).
struct RecencyList<Element: Hashable & Sendable>: Sendable {
    private struct Links {
        var before: Element?
        var after: Element?
    }

    private var links: [Element: Links] = [:]

    /// The element that hasn't been touched for longest.
    private(set) var oldest: Element?

    private var newest: Element?

    /// The number of elements.
    var count: Int { links.count }

    /// Adds an element at the end, or moves it there.
    mutating func touch(_ element: Element) {
        guard newest != element else { return }
        remove(element)
        links[element] = Links(before: newest, after: nil)
        if let newest { links[newest]?.after = element }
        oldest = oldest ?? element
        newest = element
    }

    /// Removes an element, if it is in the list.
    mutating func remove(_ element: Element) {
        guard let gap = links.removeValue(forKey: element) else { return }
        if let before = gap.before { links[before]?.after = gap.after } else { oldest = gap.after }
        if let after = gap.after { links[after]?.before = gap.before } else { newest = gap.before }
    }
}
