import Synchronization
package import YonderModel

/// The gates of one node: a mutex around one for each chat that is shown here.
///
/// A node that is alone commits everything itself, so its gates open with the first number that they see. In a cluster a gate opens
/// before its chat is read from the store: what arrives during the read waits, and passes behind the number that was read.
///
/// Messages are delivered inside the mutex, so that they reach the event loops in the order in which they passed.
package final class ChatGates: Sendable {
    /// A chat's gate, or what comes before it is open.
    private struct Slot {
        /// The gate, or `nil` while it waits for its first read.
        ///
        /// It is changed in place: copying it would be most of what a message costs here.
        var gate: ChatGate?

        /// The messages that came before the gate was open, and how many reads may open it.
        var waiting: [Published] = []
        var readers = 0
    }

    private struct State {
        var slots: [ChatID: Slot] = [:]

        /// The chats whose gates hold something or want a read.
        var unsettled: Set<ChatID> = []
        /// The chats whose gates nobody needed at the last ``close(except:)``, and nobody has read since.
        var idle: Set<ChatID> = []
        var hold = HoldTime()
        var counts = GateCounts()
    }

    /// How many gates a node that is alone keeps; beyond that those that are level are forgotten, as they open by themselves.
    private static let limit = 65_536

    /// How long a node that is alone waits for a commit of its own that was overtaken.
    private static let patience = Duration.milliseconds(500)

    private let isAlone: Bool
    private let state = Mutex(State())

    /// Creates a node's gates.
    ///
    /// - Parameter isAlone: Whether no other node commits to the same store.
    package init(isAlone: Bool) {
        self.isAlone = isAlone
    }

    /// Counts of what the gates did.
    package var counts: GateCounts {
        state.withLock { state in
            var counts = state.counts
            counts.open = state.slots.count
            return counts
        }
    }

    /// The chats with a gate.
    package var chats: [ChatID] { state.withLock { Array($0.slots.keys) } }

    // MARK: Commits

    /// Receives committed messages, of this node or another, and delivers those that pass, in order.
    ///
    /// - Parameters:
    ///   - published: The messages, in the order of their numbers in each chat.
    ///   - now: The monotonic time.
    ///   - lateness: How many milliseconds ago another node published them; `nil` for this node's own.
    ///   - deliver: Called once, inside the mutex; must not call the gates.
    package func receive(
        _ published: [Published],
        at now: ContinuousClock.Instant,
        lateness: Int64? = nil,
        _ deliver: ([Published]) -> Void
    ) {
        state.withLock { state in
            if let lateness { state.hold.note(lateness: lateness) }
            // Almost always all pass: nothing is copied then.
            var passed: [Published]?
            for (index, message) in published.enumerated() {
                if pass(message, in: &state) {
                    passed?.append(message)
                } else {
                    if passed == nil { passed = Array(published[..<index]) }
                    passed? += hold(message, at: now, in: &state)
                }
            }
            deliver(passed ?? published)
            if isAlone, state.slots.count > Self.limit { Self.forgetLevel(&state) }
        }
    }

    /// Lets a message through, if it is the next one or nobody here is interested in its chat.
    private func pass(_ published: Published, in state: inout State) -> Bool {
        let (chat, number) = (published.message.chat, published.message.number)
        guard let index = state.slots.index(forKey: chat) else {
            if isAlone { state.slots[chat] = Slot(gate: ChatGate(head: number)) }
            return true
        }
        return state.slots.values[index].gate?.passes(number) ?? false
    }

    /// Has a message wait that isn't the next one; returns what passes with it.
    private func hold(_ published: Published, at now: ContinuousClock.Instant, in state: inout State)
        -> [Published]
    {
        let chat = published.message.chat
        guard var slot = state.slots[chat] else { return [published] }
        guard var gate = slot.gate else {
            // What doesn't fit is in the store, and is read when the gate finds it missing.
            let bytes = slot.waiting.reduce(published.byteCount) { $0 + $1.byteCount }
            if slot.waiting.count < ChatGate.limits.count, bytes <= ChatGate.limits.bytes {
                slot.waiting.append(published)
            }
            state.slots[chat] = slot
            return []
        }
        // Alone, no commit comes twice. One behind the head was overtaken before the gate was there, as the `Join` of who starts a
        // one-to-one chat again may be: it isn't published by the store's thread.
        if isAlone, published.message.number <= gate.head { return [published] }
        let passed = gate.receive(published, at: now, hold: isAlone ? Self.patience : state.hold.hold)
        state.counts.held += gate.isLevel ? 0 : 1
        put(gate, of: chat, &state)
        return passed
    }

    /// Puts a changed gate back, and notes whether it holds something or wants a read.
    private func put(_ gate: ChatGate, of chat: ChatID, _ state: inout State) {
        state.slots[chat] = Slot(gate: gate)
        note(chat, gate, &state)
    }

    private func note(_ chat: ChatID, _ gate: ChatGate, _ state: inout State) {
        if gate.isLevel { state.unsettled.remove(chat) } else { state.unsettled.insert(chat) }
    }

    private static func forgetLevel(_ state: inout State) {
        state.slots = state.slots.filter { chat, _ in state.unsettled.contains(chat) }
    }

    // MARK: Interest

    /// Called before chats are read from the store: their gates hold what comes from now on.
    ///
    /// - Returns: The chats whose gates aren't open yet; pass them to ``end(_:lasts:at:_:)``.
    package func begin(_ chats: [ChatID]) -> [ChatID] {
        guard !isAlone else { return [] }
        return state.withLock { state in
            chats.filter { chat in
                state.idle.remove(chat)
                guard state.slots[chat]?.gate == nil else { return false }
                state.slots[chat, default: Slot()].readers += 1
                return true
            }
        }
    }

    /// Called after a read: opens the gates behind the numbers that were read.
    ///
    /// Of reads that overlap, the first to end opens the gate. One that ends later may be older: what lies between never passes, so it
    /// must be read again.
    ///
    /// - Parameters:
    ///   - chats: What ``begin(_:)`` returned.
    ///   - lasts: The chats' last numbers as they were read; a chat that isn't among them has no gate, unless another read opens it.
    ///   - now: The monotonic time.
    ///   - deliver: Called once, inside the mutex; must not call the gates.
    /// - Returns: Whether no gate opened behind a later number than was read.
    package func end(
        _ chats: [ChatID],
        lasts: [ChatID: Int64],
        at now: ContinuousClock.Instant,
        _ deliver: ([Published]) -> Void
    ) -> Bool {
        guard !isAlone, !chats.isEmpty else { return true }
        return state.withLock { state in
            var passed: [Published] = []
            var isCurrent = true
            for chat in chats {
                guard let slot = state.slots[chat], slot.gate == nil else {
                    isCurrent = isCurrent && Self.wasOpened(by: lasts[chat], state.slots[chat])
                    continue
                }
                guard let last = lasts[chat] else {
                    if slot.readers == 1 {
                        state.slots[chat] = nil
                        passed += slot.waiting
                    } else {
                        state.slots[chat]?.readers -= 1
                    }
                    continue
                }
                var gate = ChatGate(head: last)
                for message in slot.waiting {
                    passed += gate.receive(message, at: now, hold: state.hold.hold)
                }
                put(gate, of: chat, &state)
            }
            deliver(passed)
            return isCurrent
        }
    }

    /// Whether a gate opened at, or before, a number that was read; `true` for a chat that wasn't found.
    private static func wasOpened(by last: Int64?, _ slot: Slot?) -> Bool {
        guard let last else { return true }
        guard let opened = slot?.gate?.opened else { return false }
        return opened <= last
    }

    /// Whether every one of these chats has a gate that opened at, or before, the number that was read.
    package func wereOpen(_ lasts: [ChatID: Int64]) -> Bool {
        guard !isAlone else { return true }
        return state.withLock { state in
            lasts.allSatisfy { chat, last in
                state.idle.remove(chat)
                return Self.wasOpened(by: last, state.slots[chat])
            }
        }
    }

    /// Closes the gates of chats that nobody is shown any more, so that a node doesn't compare them with the store for ever.
    ///
    /// A gate closes at the second call in a row that finds it without interest and without a read in between: who reads a chat now shows
    /// interest in it only when the read is over.
    ///
    /// - Parameter interest: The chats whose messages, people or lists are shown here.
    /// - Returns: The chats whose gates closed. What is kept of them elsewhere must be read again before it is shown.
    package func close(except interest: Set<ChatID>) -> [ChatID] {
        guard !isAlone else { return [] }
        return state.withLock { state in
            var closed: [ChatID] = []
            var idle: Set<ChatID> = []
            for (chat, slot) in state.slots where !interest.contains(chat) {
                guard let gate = slot.gate, gate.isLevel else { continue }
                if state.idle.contains(chat) { closed.append(chat) } else { idle.insert(chat) }
            }
            for chat in closed {
                state.slots[chat] = nil
                state.unsettled.remove(chat)
            }
            state.idle = idle
            return closed
        }
    }

    /// The number of the last message of a chat that has passed, or `nil` without an open gate.
    package func head(of chat: ChatID) -> Int64? {
        state.withLock { $0.slots[chat]?.gate?.head }
    }

    // MARK: Reads

    /// The reads that are due at `now`; each counts as under way until one of the two methods below is called.
    package func takeWishes(at now: ContinuousClock.Instant) -> [(chat: ChatID, wish: ChatGate.Wish)] {
        state.withLock { state in
            var wishes: [(ChatID, ChatGate.Wish)] = []
            for chat in state.unsettled {
                // A gate becomes level by itself when the frame that it missed comes in time.
                guard var gate = state.slots[chat]?.gate, !gate.isLevel else {
                    state.unsettled.remove(chat)
                    continue
                }
                guard let wish = gate.wish(at: now) else { continue }
                state.slots[chat]?.gate = gate
                wishes.append((chat, wish))
            }
            state.counts.reads += wishes.count
            return wishes
        }
    }

    /// Whether ``takeWishes(at:)`` may have something now or later.
    package var isSettled: Bool { state.withLock { $0.unsettled.isEmpty } }

    /// Receives what was read for a wish, and delivers what passes.
    package func receive(
        read messages: [Published],
        of chat: ChatID,
        first: Int64,
        isComplete: Bool,
        at now: ContinuousClock.Instant,
        _ deliver: ([Published]) -> Void
    ) {
        state.withLock { state in
            guard var gate = state.slots[chat]?.gate else { return }
            let passed = gate.receive(
                read: messages,
                first: first,
                isComplete: isComplete,
                at: now,
                hold: state.hold.hold
            )
            state.counts.repaired += messages.count
            put(gate, of: chat, &state)
            deliver(passed)
        }
    }

    /// Goes on behind the first hole of a chat, where there is no log that could be read, and delivers what passes.
    package func skipHole(of chat: ChatID, at now: ContinuousClock.Instant, _ deliver: ([Published]) -> Void)
    {
        state.withLock { state in
            guard var gate = state.slots[chat]?.gate else { return }
            let first = gate.lowestHeld ?? gate.head + 1
            let passed = gate.receive(read: [], first: first, isComplete: true, at: now, hold: Self.patience)
            put(gate, of: chat, &state)
            deliver(passed)
        }
    }

    /// Called when the read for a wish has failed.
    package func readFailed(of chat: ChatID, at now: ContinuousClock.Instant) {
        state.withLock { state in
            guard var gate = state.slots[chat]?.gate else { return }
            gate.readFailed(at: now, hold: state.hold.hold)
            state.slots[chat]?.gate = gate
        }
    }

    /// Receives the last numbers of chats as the store has them.
    ///
    /// - Parameters:
    ///   - lasts: The numbers.
    ///   - isUrgent: Whether frames are known to be lost, so that what is missing is read at once.
    /// - Returns: The chats of which the store has lost messages that have passed. Their gates are gone, so that what is committed from
    ///   now on under the same numbers passes.
    package func sweep(_ lasts: [ChatID: Int64], isUrgent: Bool) -> [ChatID] {
        state.withLock { state in
            var lost: [ChatID] = []
            for (chat, last) in lasts {
                guard var gate = state.slots[chat]?.gate else { continue }
                if gate.isAhead(of: last) {
                    lost.append(chat)
                    state.slots[chat] = nil
                    state.unsettled.remove(chat)
                    continue
                }
                gate.sweep(last: last, isUrgent: isUrgent)
                put(gate, of: chat, &state)
            }
            return lost
        }
    }
}

/// The gates of a node now, and counts of what they did since the start.
package struct GateCounts: Hashable, Sendable {
    /// The chats with a gate now.
    package var open = 0

    /// The messages that came too early.
    package var held = 0

    /// The reads of missing numbers.
    package var reads = 0

    /// The messages that came by such a read instead of the bus.
    package var repaired = 0
}
