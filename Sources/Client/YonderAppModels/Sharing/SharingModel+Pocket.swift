import YonderClient
import YonderModel
import YonderPocket

// The share as it goes on in a pocket. Between the model and `PocketSharing`, with or without one. `SharingModel.run()` calls
// ``readPositions()``, and each change of a share ``notePocket(_:)``; the pocket calls the rest while it runs. Nothing
// throws: a stop that isn't kept yet stays in the pocket's record, and is repeated by the next process. That a share is taken
// up as *offline* until the server says otherwise, and that nothing is recorded after a stop, must stay (`PocketDayTests`,
// `SharingModelTests`).
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
        guard let pocket, here[share.share.chat] == share.id, share.freshness.state != .ended else { return }
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
    ///
    /// - Returns: The chats whose stops are.
    private func keepStops(in chats: Set<ChatID>) async -> Set<ChatID> {
        for chat in chats { stopHere(in: chat) }
        return await withTaskGroup(of: ChatID?.self) { group in
            for chat in chats { group.addTask { await self.keepStop(in: chat) ? chat : nil } }
            var kept: Set<ChatID> = []
            for await chat in group { if let chat { kept.insert(chat) } }
            return kept
        }
    }

    private func keepStop(in chat: ChatID) async -> Bool {
        await sharing.stop(with: .chat(chat))
        return await withTaskGroup(of: Bool.self) { [client = person.client] group in
            group.addTask {
                await Self.isAnswered { () async throws(SharingError) in try await client.stopShares(in: chat)
                }
            }
            group.addTask {
                for await stops in client.waitingStops {
                    if stops.contains(where: { $0.stop.chat == chat && $0.outlivesProcess }) { return true }
                }
                return false
            }
            let isKept = await group.next() ?? false
            // A stop stays when the wait for its answer ends.
            group.cancelAll()
            return isKept
        }
    }

    /// Whether the server has answered a stop; no answer follows where the client couldn't take the stop, or was refused itself.
    private nonisolated static func isAnswered(_ stop: () async throws(SharingError) -> some Sendable) async
        -> Bool
    {
        do throws(SharingError) {
            _ = try await stop()
            return true
        } catch {
            return ![.tooMany, .unavailable, .notSignedIn, .invalidCredentials, .accountDisabled].contains(
                error.code
            )
        }
    }
}
