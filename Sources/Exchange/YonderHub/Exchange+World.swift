import NIOCore
import YonderBus
import YonderWorld

/// Passes events of the world between event loops, and between nodes.
///
/// `HubLoop` sends and publishes what its members do; `Exchange+Nodes.swift` passes what other nodes send. Nothing
/// fails: news that can't be read are ignored, and all pins are asked for again after a gap. Frames must be published
/// inside the mutex of `NodeWorld`, so that nodes get events in one order (decision 33, `NodesWorldTests`).
/// ``answerPause`` may be changed.
extension Exchange {
    /// How long an answer with all pins pauses between two of its frames, so that the bus's queue stays far below its
    /// limit of 8 MiB.
    private static let answerPause = Duration.milliseconds(20)

    /// Sends an event of a loop's member to the other loops.
    func sendWorld(_ event: WorldEvent, from index: Int) {
        for (other, loop) in loops.enumerated() where other != index {
            loop.eventLoop.execute { loop.value.world.receive(event) }
        }
    }

    /// Publishes a round's events of a loop's members to the other nodes.
    func publishWorld(_ events: [WorldEvent]) {
        world.happened(events) { perform($0) }
    }

    /// Receives news of another node's members.
    func receiveWorld(_ news: [UInt8], from node: UInt64) {
        world.receive(news, from: node) { perform($0) }
    }

    /// Removes the members of nodes that are gone.
    func removeWorld(of nodes: [UInt64]) {
        world.remove(nodes) { perform($0) }
    }

    /// Shows another node's member under a name that a member of this node has given up.
    func showWorld(_ member: WorldID) {
        world.show(member) { perform($0) }
    }

    /// Publishes all pins of this node, a frame at a time.
    func publishPins() {
        guard world.asked() else { return }
        Task {
            while world.takePart({ link.publish(.world($0.encoded())) }) {
                try? await sleep(Self.answerPause)
            }
        }
    }

    /// Called inside the mutex of the world, so that loops and nodes get events in one order.
    private func perform(_ change: WorldReplica.Change) {
        for news in WorldNews.frames(of: change.told) { link.publish(.world(news.encoded())) }
        guard !change.shown.isEmpty || !change.lost.isEmpty else { return }
        for loop in loops {
            loop.eventLoop.execute { loop.value.world.receive(change.shown, lost: change.lost) }
        }
    }
}
