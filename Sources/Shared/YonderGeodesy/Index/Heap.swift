/// An element of a ``Heap``.
protocol HeapElement {
    func isBefore(_ other: Self) -> Bool
}

/// A binary heap: its first element is before all others.
///
/// The searches for the nearest and for the lowest ranks keep their candidates in it. ``replaceFirst(_:)`` of an empty heap
/// traps; nothing else fails. Equal elements have no order of their own, so an element's `isBefore` must decide by id where
/// an answer must be one (`PointIndexTests`).
struct Heap<Element: HeapElement> {
    private(set) var elements: [Element] = []

    var first: Element? {
        @inline(__always) get { elements.first }
    }

    mutating func reserveCapacity(_ capacity: Int) {
        elements.reserveCapacity(capacity)
    }

    @inline(__always)
    mutating func insert(_ element: Element) {
        elements.append(element)
        var index = elements.count - 1
        while index > 0 {
            let parent = (index - 1) / 2
            guard element.isBefore(elements[parent]) else { break }
            elements[index] = elements[parent]
            index = parent
        }
        elements[index] = element
    }

    /// Removes and returns the first element.
    mutating func popFirst() -> Element? {
        guard let last = elements.popLast() else { return nil }
        guard let first = elements.first else { return last }
        replaceFirst(last)
        return first
    }

    /// Replaces the first element, which must exist.
    @inline(__always)
    mutating func replaceFirst(_ element: Element) {
        var index = 0
        while true {
            var child = 2 * index + 1
            if child >= elements.count { break }
            if child + 1 < elements.count, elements[child + 1].isBefore(elements[child]) { child += 1 }
            guard elements[child].isBefore(element) else { break }
            elements[index] = elements[child]
            index = child
        }
        elements[index] = element
    }
}
