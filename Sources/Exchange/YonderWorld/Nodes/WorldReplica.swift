/// The world on all nodes, as one node knows it: its own pins, and those that it received from each other node.
///
/// Frames of other nodes may be lost. A node that misses a frame asks the sender for all pins. The answer arrives in
/// parts of a bounded size, with events between them; after the last part this node's copy of the sender's pins is right
/// again.
///
/// Two nodes may draw the same name. The name belongs to the node with the lower number. The other node's member gets a
/// new name; until then this node shows only one of the two pins.
///
/// `NodeWorld` has one under its mutex: it passes events of this node and news of others, and performs the changes that
/// are returned. It is a plain value, and nothing throws. After all frames have come, every node must show the same
/// pins, however many were lost (decision 33, `WorldReplicaTests` and `ReplicaSeedTests`, with random losses). Sizes of
/// parts may be changed.
package struct WorldReplica: Sendable {
    /// The events that follow from a call.
    package struct Change: Hashable, Sendable {
        /// The events to send to this node's members, in order.
        package var shown: [WorldEvent] = []

        /// The events to send to the other nodes, in order.
        package var told: [WorldEvent] = []

        /// The names of this node's members that belong to another node: these members need new ones.
        package var lost: [WorldID] = []
    }

    /// An answer of another node that has begun.
    private struct Reception {
        var nextPart = 0

        /// The members that were known when the answer began, without those that were received since.
        var unconfirmed: Set<WorldID>
    }

    /// This node's own answer.
    private struct Answer {
        var part = 0

        /// The members whose pins are in no part yet; `nil` before the first part.
        var rest: ArraySlice<WorldID>?
    }

    /// The most nodes whose pins are kept; news of further nodes are ignored.
    static let nodeLimit = 1_024

    private let node: UInt64
    private var pins: [UInt64: [WorldID: [UInt8]]]

    /// The keys of `pins`, sorted: a name belongs to the first node that has a member of this name.
    private var nodes: [UInt64]
    private var receptions: [UInt64: Reception] = [:]
    private var answer: Answer?
    private var isAskedAgain = false

    /// Creates the replica of a node that has received no frame yet.
    package init(node: UInt64) {
        self.node = node
        pins = [node: [:]]
        nodes = [node]
    }

    /// The position of a member of any node, empty before its first; `nil` if there is none of that name.
    package func position(of member: WorldID) -> [UInt8]? {
        for node in nodes {
            if let position = pins[node]?[member] { return position }
        }
        return nil
    }

    /// The events that show a member as it is now; none if there is no member of that name.
    package func events(showing member: WorldID) -> [WorldEvent] {
        Self.events(of: member, from: nil, to: position(of: member))
    }

    // MARK: This node's members

    /// Records events of this node's members.
    package mutating func happened(_ events: [WorldEvent]) -> Change {
        var change = Change()
        for event in events {
            let member = event.member
            if case .joined = event {
                if isTaken(member) {
                    change.lost.append(member)
                    continue
                }
            } else if pins[node]?[member] == nil {
                // The member has lost its name, and its event loop hasn't given it the new one yet.
                continue
            }
            pins[node]?[member] = event.position
            change.told.append(event)
        }
        // Another node's member of the same name was hidden until now.
        for case .left(let member) in change.told where pins[node]?[member] == nil {
            change.shown += self.events(showing: member)
        }
        return change
    }

    /// Whether a node with a lower number has a member of that name.
    private func isTaken(_ member: WorldID) -> Bool {
        nodes.prefix { $0 < node }.contains { pins[$0]?[member] != nil }
    }

    // MARK: Other nodes' members

    /// Receives news of another node, in the order of its frames.
    package mutating func receive(_ news: WorldNews, from other: UInt64) -> Change {
        var change = Change()
        guard other != node, admit(other) else { return change }
        switch news {
        case .happened(let events):
            for event in events { set(event.member, to: event.position, of: other, &change) }
        case .pins(let pins, let part, let isLast):
            begin(part, of: other)
            for pin in pins { set(pin.member, to: pin.position, of: other, &change) }
            if isLast { finish(other, &change) }
        }
        return change
    }

    /// Removes a node that is gone, with all its pins.
    package mutating func remove(_ other: UInt64) -> Change {
        var change = Change()
        guard other != node, let members = pins[other]?.keys else { return change }
        for member in members { set(member, to: nil, of: other, &change) }
        pins[other] = nil
        nodes.removeAll { $0 == other }
        receptions[other] = nil
        return change
    }

    private mutating func admit(_ other: UInt64) -> Bool {
        if pins[other] != nil { return true }
        guard nodes.count < Self.nodeLimit else { return false }
        pins[other] = [:]
        nodes = pins.keys.sorted()
        return true
    }

    /// Begins an answer at its first part, continues with the next one, and ends an answer of which a part was lost.
    private mutating func begin(_ part: Int, of other: UInt64) {
        if part == 0 { receptions[other] = Reception(unconfirmed: Set((pins[other] ?? [:]).keys)) }
        guard receptions[other]?.nextPart == part else {
            receptions[other] = nil
            return
        }
        receptions[other]?.nextPart += 1
    }

    /// Removes the pins that a complete answer didn't contain.
    private mutating func finish(_ other: UInt64, _ change: inout Change) {
        guard let reception = receptions.removeValue(forKey: other) else { return }
        for member in reception.unconfirmed { set(member, to: nil, of: other, &change) }
    }

    /// Sets, or removes with `nil`, the position of another node's member.
    private mutating func set(
        _ member: WorldID,
        to position: [UInt8]?,
        of other: UInt64,
        _ change: inout Change
    ) {
        receptions[other]?.unconfirmed.remove(member)
        if other < node, position != nil, pins[node]?.removeValue(forKey: member) != nil {
            // This node's own member is shown under the name until it has its new one.
            pins[other]?[member] = position
            change.told.append(.left(member))
            change.lost.append(member)
            return
        }
        let before = self.position(of: member)
        pins[other]?[member] = position
        change.shown += Self.events(of: member, from: before, to: self.position(of: member))
    }

    /// The events that lead from one position of a member to another; `nil` for no member, empty before the first position.
    private static func events(of member: WorldID, from old: [UInt8]?, to new: [UInt8]?) -> [WorldEvent] {
        switch (old, new) {
        case (let old, let new) where old == new: []
        case (_, nil): [.left(member)]
        case (nil, let new?): new.isEmpty ? [.joined(member)] : [.joined(member), .moved(member, at: new)]
        case (_, let new?): new.isEmpty ? [.left(member), .joined(member)] : [.moved(member, at: new)]
        }
    }

    // MARK: Answers

    /// Called when another node asks for all pins of this node.
    ///
    /// - Returns: `true` if an answer begins now, whose parts the caller must take. `false` if an answer is under way: a second one
    ///   follows it.
    package mutating func asked() -> Bool {
        guard answer == nil else {
            isAskedAgain = true
            return false
        }
        answer = Answer()
        return true
    }

    /// Takes the next part of the answer that is under way; `nil` if there is none.
    package mutating func takePart(byteLimit: Int = WorldNews.byteLimit) -> WorldNews? {
        guard var answer, let own = pins[node] else { return nil }
        // The members at the first part: a member that joins later is announced by an event after this part.
        var rest = answer.rest ?? Array(own.keys)[...]
        var (part, bytes) = ([MemberPin](), 0)
        while let member = rest.first, bytes < byteLimit {
            rest.removeFirst()
            guard let position = own[member] else { continue }
            part.append(MemberPin(member, at: position))
            bytes += part[part.count - 1].byteCount
        }
        let news = WorldNews.pins(part, part: answer.part, isLast: rest.isEmpty)
        answer.part += 1
        answer.rest = rest
        self.answer = rest.isEmpty ? nil : answer
        if rest.isEmpty, isAskedAgain {
            isAskedAgain = false
            self.answer = Answer()
        }
        return news
    }
}
