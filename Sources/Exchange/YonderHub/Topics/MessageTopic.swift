import YonderBus
import NIOCore
import YonderModel
import YonderWire
import YonderTransport

/// The subscribers of one distinct message query on one event loop, and the frames of the current round.
///
/// A round's frames are written into one buffer, which the sessions of all live subscriptions share. A subscription
/// that isn't live reads from the store, and joins again behind the last number that it read: see ``CatchUp``.
///
/// `TopicTable` makes one for each query that a session of the loop subscribes to, and drops it with the last; `Round`
/// passes the chat's messages, in the order of their numbers, and distributes at its end. It belongs to the event loop;
/// nothing waits or throws. Which messages match is decided by `MessageFilter`. That all live sessions get the same buffer
/// must stay (decision 3, `RoundTests`).
final class MessageTopic {
    /// One message of the round.
    private struct Entry {
        /// The message's number; `nil` for an unkept message.
        let number: Int64?
        let sender: UserID

        /// The place of an unkept message in the order of the sender's positions; `nil` for a kept message.
        let recency: Recency?
        let end: Int
    }

    let number: Int64
    let filter: MessageFilter

    /// The subscriptions that have everything up to ``distributed``, and are sent the shared buffer.
    private(set) var live: [MessageSubscription] = []

    /// The subscriptions whose cursor is above ``distributed``, and that are sent only messages above their cursor.
    private var joining: [MessageSubscription] = []

    /// The subscriptions that read from the store, or whose session isn't writable.
    private var away: [MessageSubscription] = []

    /// The highest message number of the chat that this topic has received.
    private(set) var head: Int64 = 0

    /// The number up to which the live subscriptions were sent every match.
    private(set) var distributed: Int64 = 0

    private let prefix: [UInt8]
    private var pending: ByteBuffer
    private var entries: [Entry] = []
    private var hasUnkept = false

    init(number: Int64, filter: MessageFilter) {
        self.number = number
        self.filter = filter
        prefix = ServerFrame.messagePrefix(topic: number)
        pending = ByteBufferAllocator().buffer(capacity: 0)
    }

    /// Whether it has no subscription.
    var isEmpty: Bool { live.isEmpty && joining.isEmpty && away.isEmpty }

    /// Whether frames wait for ``distribute()``.
    var isDirty: Bool { !entries.isEmpty }

    /// All subscriptions, in no order.
    var everyone: [MessageSubscription] { live + joining + away }

    /// Receives a message of the chat; returns `true` if it is the round's first match, so the topic became dirty.
    @inline(__always)
    func append(_ published: Published) -> Bool {
        if let number = published.message.number { head = max(head, number) }
        guard filter.matches(published.message) else {
            if entries.isEmpty { distributed = head }
            return false
        }
        if entries.isEmpty { startRound() }
        TextFrame.write(prefix, published.body, into: &pending)
        let number = published.message.number
        let recency = number == nil ? Recency(published.message) : nil
        entries.append(
            Entry(
                number: number,
                sender: published.message.sender,
                recency: recency,
                end: pending.writerIndex
            )
        )
        hasUnkept = hasUnkept || number == nil
        return entries.count == 1
    }

    /// Sends the round's frames to the subscriptions.
    func distribute() {
        guard !entries.isEmpty else { return }
        passToLive()
        passToJoining()
        if hasUnkept { passToAway() }
        distributed = head
        entries.removeAll(keepingCapacity: true)
        hasUnkept = false
        settle()
    }

    /// Adds a subscription that reads from the store.
    func add(away subscription: MessageSubscription) {
        subscription.index = away.count
        subscription.place = .away
        away.append(subscription)
    }

    /// Moves a subscription that has everything up to `cursor` from reading the store to being sent rounds.
    func join(_ subscription: MessageSubscription, after cursor: Int64) {
        remove(subscription)
        subscription.cursor = cursor
        if cursor == distributed {
            addLive(subscription)
        } else {
            subscription.index = joining.count
            subscription.place = .joining
            joining.append(subscription)
        }
    }

    /// Removes a subscription.
    func remove(_ subscription: MessageSubscription) {
        switch subscription.place {
        case .live: Self.remove(subscription, from: &live)
        case .joining: Self.remove(subscription, from: &joining)
        case .away: Self.remove(subscription, from: &away)
        case .nowhere: break
        }
        subscription.place = .nowhere
    }

    private func startRound() {
        pending = ByteBufferAllocator().buffer(capacity: max(512, pending.writerIndex))
    }

    private func addLive(_ subscription: MessageSubscription) {
        subscription.index = live.count
        subscription.place = .live
        live.append(subscription)
    }

    private func passToLive() {
        let (live, frames) = (live, pending)
        for subscription in live where subscription.place == .live {
            if subscription.session.isWritable {
                subscription.session.write(frames)
            } else {
                fallBehind(subscription, after: distributed)
            }
        }
    }

    private func passToJoining() {
        for subscription in joining {
            guard subscription.session.isWritable else {
                fallBehind(subscription, after: max(subscription.cursor, distributed))
                continue
            }
            forEachSlice(where: { $0.number.map { $0 > subscription.cursor } ?? true }) {
                subscription.session.write($0)
            }
        }
    }

    /// Holds unkept frames for the slow subscriptions that asked for the latest; for others they are lost.
    private func passToAway() {
        for subscription in away where subscription.latest {
            var start = 0
            for entry in entries {
                if let recency = entry.recency,
                    let frame = pending.getSlice(at: start, length: entry.end - start)
                {
                    subscription.conflate(frame, from: entry.sender, recency)
                }
                start = entry.end
            }
        }
    }

    private func fallBehind(_ subscription: MessageSubscription, after cursor: Int64) {
        remove(subscription)
        add(away: subscription)
        subscription.cursor = cursor
        subscription.session.fellBehind(subscription, losing: hasUnkept && !subscription.latest)
    }

    /// Makes the joining subscriptions live whose cursor ``distributed`` has reached.
    private func settle() {
        let level = joining.filter { $0.cursor <= distributed }
        for subscription in level {
            remove(subscription)
            addLive(subscription)
        }
    }

    private func forEachSlice(where isWanted: (Entry) -> Bool, _ body: (ByteBuffer) -> Void) {
        var start = 0
        var from: Int?
        for entry in entries {
            if isWanted(entry) {
                from = from ?? start
            } else if let first = from {
                if let slice = pending.getSlice(at: first, length: start - first) { body(slice) }
                from = nil
            }
            start = entry.end
        }
        if let first = from, let slice = pending.getSlice(at: first, length: start - first) { body(slice) }
    }

    private static func remove(_ subscription: MessageSubscription, from list: inout [MessageSubscription]) {
        let index = subscription.index
        guard index < list.count, list[index] === subscription else { return }
        list.swapAt(index, list.count - 1)
        list[index].index = index
        list.removeLast()
    }
}
