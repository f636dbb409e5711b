import YonderClient
import YonderModel
import YonderPocket

// The share as it goes on in a pocket.
extension SharingModel {
    /// Reads the device's positions while it shares, by way of the pocket if there is one, until the task is canceled.
    func readPositions() async {
        guard let pocket else { return await sharing.run { [place] in place.positions() } }
        let client = person.client
        await pocket.run(
            PocketWork(
                takeUp: { await self.takeUp($0) },
                record: { await self.record($0) },
                send: { await Self.send(through: client) },
                stop: { await self.keepStops(in: $0) }
            )
        )
    }

    /// Writes into the pocket's record that this device sends into a share, and until when.
    func notePocket(_ share: ShownShare) {
        guard let pocket, here[share.share.chat] == share.id else { return }
        let wanted = PocketShare(share.share)
        if !pocket.wanted.contains(wanted) { pocket.shareStarted(wanted, of: person.user) }
    }

    /// Waits for a connection, which begins with what the outbox has, and until that is sent.
    private static func send(through client: SharingClient) async {
        for await isConnected in client.connections where isConnected { break }
        await client.waitUntilSent()
    }

    private func takeUp(_ wanted: PocketShare) async {
        let share = Share(
            id: wanted.id,
            chat: wanted.chat,
            user: person.id,
            started: wanted.started,
            until: wanted.until
        )
        await takeUp(ShownShare(share, Freshness(state: .offline, asOf: context.now())))
    }

    private func record(_ update: PocketUpdate) async {
        place.take(update)
        if let position = update.position { await sharing.take(position) }
    }

    /// Stops as the button does, and returns when the stops are on disk or at the server.
    private func keepStops(in chats: Set<ChatID>) async {
        for chat in chats { stopHere(in: chat) }
        await withDiscardingTaskGroup { group in
            for chat in chats { group.addTask { await self.keepStop(in: chat) } }
        }
    }

    private func keepStop(in chat: ChatID) async {
        await sharing.stop(with: .chat(chat))
        await withTaskGroup(of: Void.self) { [client = person.client] group in
            group.addTask { _ = try? await client.stopShares(in: chat) }
            group.addTask {
                for await stops in client.waitingStops {
                    if stops.contains(where: { $0.stop.chat == chat && $0.outlivesProcess }) { return }
                }
            }
            await group.next()
            // A stop stays when the wait for its answer ends.
            group.cancelAll()
        }
    }
}
