// Takes and frees nodes and groups for `PointIndex+Edits.swift` and `PointIndex+Load.swift`. Freed numbers are used again
// first; pages are never given back until `removeAll()`. Over 2²⁵ nodes or 2²⁹ groups it traps, which some four billion
// points would need. The free lists use fields of the freed records, and ``check()`` finds one that was lost
// (`PointIndexTests`).
extension PointIndex {
    @inline(__always)
    mutating func writableNode(_ number: UInt32) -> Node {
        Node(address: nodes.writable(number))
    }

    @inline(__always)
    mutating func setSlot(of id: ID, _ slot: Slot) {
        slots.writable(id).storeBytes(of: slot.raw, as: UInt32.self)
    }

    /// Allocates an empty node, and returns its number.
    mutating func allocateNode(home: Home) -> UInt32 {
        var number = freeNode
        if number == 0 {
            number = nodeNumbers
            precondition(number < Home.mostNodes, "The index is full.")
            nodeNumbers += 1
            nodes.reserve(Int(nodeNumbers))
        } else {
            freeNode = tree.node(number).home.raw
        }
        writableNode(number).clear(home: home)
        return number
    }

    mutating func free(node number: UInt32) {
        writableNode(number).home = Home(raw: freeNode)
        freeNode = number
    }

    /// Allocates a group with undefined points, and returns its number.
    @inline(__always)
    mutating func allocateGroup(next: UInt32, home: Home) -> UInt32 {
        let number = freeGroup == 0 ? newGroup() : freeGroup
        let link = Link(address: links.writable(number))
        if freeGroup != 0 { freeGroup = link.next }
        link.next = next
        link.home = home
        return number
    }

    @inline(never)
    private mutating func newGroup() -> UInt32 {
        let number = groupNumbers
        precondition(number < 1 << 29, "The index is full.")
        groupNumbers += 1
        groups.reserve(Int(groupNumbers))
        links.reserve(Int(groupNumbers))
        return number
    }

    @inline(__always)
    mutating func free(group number: UInt32) {
        Link(address: links.writable(number)).next = freeGroup
        freeGroup = number
    }
}
