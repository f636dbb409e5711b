import Synchronization
package import YonderModel

/// The chat gates of one node: a mutex around a ``ChatGate`` for each chat that the node's sessions show.
///
/// For a store whose commits come from several threads or nodes, each in an order of its own. Messages that arrive while a
/// chat is read from the store are held, and the gate then opens behind the number that was read.
///
/// Messages are delivered inside the mutex, so that they reach the event loops in the order in which they passed.
///
/// `NodeLink` passes commits of this node and others, `GatedChats` opens gates around reads, `GateRepair` reads what is
/// missing, and the exchange closes gates that no session needs. Any thread may call; nothing throws. A chat without a
/// gate takes no messages: its next reader reads them from the store.
///
/// What passes when is decided in ``ChatGate`` (decision 32, `ChatGatesTests`). Delivery inside the mutex must stay, so
/// it must be short.
package final class ChatGates: Sendable {
    /// A chat's gate, or the messages that wait until the gate opens.
    private struct Slot {
        /// The gate; `nil` until its first read has ended.
        ///
        /// The gate is changed in place, because a copy would be most of a message's cost.
        var gate: ChatGate?

        /// The messages that arrived before the gate opened, and the number of reads under way, each of which may open it.
        var waiting: [Published] = []
        var readers = 0
    }

    private struct State {
        var slots: [ChatID: Slot] = [:]

        /// The chats whose gates hold messages or want a read.
        var unsettled: Set<ChatID> = []
        /// The chats without interest at the last ``close(except:)``, and without a read since.
        var idle: Set<ChatID> = []
        var hold: HoldTime
        var counts = GateCounts()
    }

    private let state: Mutex<State>

    /// Creates a node's gates.
    ///
    /// - Parameter isAlone: Whether no other node commits to the same store: a missing number is then one of this node's own
    ///   commits under way, and is waited for as long as ``HoldTime`` allows.
    package init(isAlone: Bool) {
        state = Mutex(State(hold: HoldTime(isAlone: isAlone)))
    }

    /// Counts of the gates' work.
    package var counts: GateCounts {
        state.withLock { state in
            var counts = state.counts
            counts.open = state.slots.count
            return counts
        }
    }

    /// The numbers of the last messages that have passed, by chat.
    package var heads: [ChatID: Int64] { state.withLock { $0.slots.compactMapValues(\.gate?.head) } }

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
            // Almost always all messages pass, and the array isn't copied.
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
        }
    }

    /// Passes a message, if it is the next one of its chat or if no session of this node shows the chat.
    private func pass(_ published: Published, in state: inout State) -> Bool {
        guard let number = published.message.number,
            let index = state.slots.index(forKey: published.message.chat)
        else { return true }
        return state.slots.values[index].gate?.passes(number) ?? false
    }

    /// Gives a message that isn't the next one to its chat's gate.
    ///
    /// - Returns: The messages that pass now.
    private func hold(_ published: Published, at now: ContinuousClock.Instant, in state: inout State)
        -> [Published]
    {
        let chat = published.message.chat
        guard var slot = state.slots[chat] else { return [published] }
        guard var gate = slot.gate else {
            // Messages beyond the limits are dropped here; the gate later finds them missing, and they are read from the
            // store.
            let bytes = slot.waiting.reduce(published.byteCount) { $0 + $1.byteCount }
            if slot.waiting.count < ChatGate.limits.count, bytes <= ChatGate.limits.bytes {
                slot.waiting.append(published)
            }
            state.slots[chat] = slot
            return []
        }
        let passed = gate.receive(published, at: now, hold: state.hold.hold)
        state.counts.held += gate.isLevel ? 0 : 1
        put(gate, of: chat, &state)
        return passed
    }

    /// Puts a changed gate back, and records whether it holds messages or wants a read.
    private func put(_ gate: ChatGate, of chat: ChatID, _ state: inout State) {
        state.slots[chat] = Slot(gate: gate)
        note(chat, gate, &state)
    }

    private func note(_ chat: ChatID, _ gate: ChatGate, _ state: inout State) {
        if gate.isLevel { state.unsettled.remove(chat) } else { state.unsettled.insert(chat) }
    }

    // MARK: Interest

    /// Called before chats are read from the store: messages of these chats are held from now on.
    ///
    /// - Returns: The chats whose gates aren't open yet; pass them to ``end(_:lasts:at:_:)``.
    package func begin(_ chats: [ChatID]) -> [ChatID] {
        state.withLock { state in
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
    /// Of overlapping reads, the first to end opens the gate. A read that ends later may have an older answer: the messages
    /// between the two never pass the gate, so the later read must be made again.
    ///
    /// - Parameters:
    ///   - chats: What ``begin(_:)`` returned.
    ///   - lasts: The chats' last numbers as they were read; a chat that isn't among them has no gate, unless another read
    ///     opens it.
    ///   - now: The monotonic time.
    ///   - deliver: Called once, inside the mutex; must not call the gates.
    /// - Returns: Whether no gate opened behind a later number than was read.
    package func end(
        _ chats: [ChatID],
        lasts: [ChatID: Int64],
        at now: ContinuousClock.Instant,
        _ deliver: ([Published]) -> Void
    ) -> Bool {
        guard !chats.isEmpty else { return true }
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
        state.withLock { state in
            lasts.allSatisfy { chat, last in
                state.idle.remove(chat)
                return Self.wasOpened(by: last, state.slots[chat])
            }
        }
    }

    /// Closes the gates of chats that no session shows any more, so that sweeps don't compare them with the store for ever.
    ///
    /// A gate closes at the second call in a row that finds the chat without interest, and without a read in between: a
    /// session that reads a chat counts as interested only when the read is over.
    ///
    /// - Parameter interest: The chats whose messages, people or lists the node's sessions show.
    /// - Returns: The chats whose gates closed. Copies of these chats in other tables must be read again before they are shown.
    package func close(except interest: Set<ChatID>) -> [ChatID] {
        state.withLock { state in
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

    /// The reads that are due at `now`; each counts as under way until one of the three methods below is called.
    package func takeWishes(at now: ContinuousClock.Instant) -> [(chat: ChatID, wish: ChatGate.Wish)] {
        state.withLock { state in
            var wishes: [(ChatID, ChatGate.Wish)] = []
            for chat in state.unsettled {
                // A gate becomes level without a read when the missing frame arrives in time.
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

    /// Whether no gate holds messages, misses any, or wants a read: ``takeWishes(at:)`` then returns none.
    package var isSettled: Bool { state.withLock { $0.unsettled.isEmpty } }

    /// Receives the messages that were read for a wish, and delivers those that pass.
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
    ///   - past: The ``heads`` from before the numbers were read.
    ///   - isUrgent: Whether frames are known to be lost, so that missing messages are read at once.
    /// - Returns: The chats of which the store has lost messages that have passed. Their gates begin behind what the store
    ///   has, so that new messages with the same numbers pass, in order.
    package func sweep(_ lasts: [ChatID: Int64], past: [ChatID: Int64], isUrgent: Bool) -> [ChatID] {
        state.withLock { state in
            var lost: [ChatID] = []
            for (chat, last) in lasts {
                guard var gate = state.slots[chat]?.gate else { continue }
                if let past = past[chat], gate.isAhead(of: last, past: past) {
                    lost.append(chat)
                    put(ChatGate(head: last), of: chat, &state)
                    continue
                }
                gate.sweep(last: last, isUrgent: isUrgent)
                put(gate, of: chat, &state)
            }
            return lost
        }
    }
}

/// The number of a node's chat gates at present, and counts of their work since the start.
package struct GateCounts: Hashable, Sendable {
    /// The chats with a gate at present, or with a read that will open one.
    package var open = 0

    /// The messages that arrived while an earlier one of their chat was missing.
    package var held = 0

    /// The reads of missing numbers.
    package var reads = 0

    /// The messages that these reads returned.
    package var repaired = 0
}
