import Logging
import YonderGeodesy
import YonderLink
public import YonderModel
import YonderWire

// Ending shares: the operations, and the shell of `Stops`, which decides what is kept, sent and withdrawn. An app calls the
// operations at any time, also without a connection and again; `LocationSharing.end` calls `postStop`. `SharingClient.swift`
// calls `readStops` when the client begins to run, and `note` for each answer; `ChatPositions` reads `serverTime` each second.
//
// A stop holds at once, and is sent before anything else of the next connection. While it waits, positions that were
// recorded after it aren't sent into what it stopped, until a share is started there. If the stops of earlier processes
// can't be read, they stay in the store and are read by the next `run()`. If the store fails to write a stop, the stop is sent
// all the same, has `outlivesProcess` `false`, and is written again by the next `run()`; one that couldn't be removed is sent
// a second time by a later process, which changes nothing. Both are logged. These promises must stay
// (`Documentation/sharing.md`, `StopCallTests`, the SDK's model); the logs' words may change.
extension SharingClient {
    /// The caller's stops that the server doesn't have yet: those of now first, then each change.
    ///
    /// A stop holds on this device at once. The others see it when the server has it; until then an app should say that the stop
    /// wasn't sent, and, if ``WaitingStop/outlivesProcess`` is `false`, that it is lost with the process.
    public nonisolated var waitingStops: AsyncStream<[WaitingStop]> { waiting.stream }

    /// The server's time, as far as the last connection's greeting shows it.
    var serverTime: Timestamp { stops.serverTime(at: now()) }

    /// Ends a running share of the caller's.
    ///
    /// Without a connection the stop waits, also across restarts if the outbox is a ``StopStore``, and is sent before anything
    /// else; the others see the share as ended at the time of this call. Until then, positions of the chat that were recorded
    /// after this call and name this share or none aren't sent, unless a share was started in the chat since. The stop stays if
    /// the task is canceled.
    ///
    /// - Parameters:
    ///   - share: The share.
    ///   - chat: Its chat.
    /// - Returns: The share, or `nil` if the stop waited for a connection.
    /// - Throws: `unknownShare`, `shareEnded`; `tooMany` if ``UnsentStop/limit`` stops wait; `unavailable` if the client was
    ///   stopped or the task canceled; the error with which the server refused this client, after which the stop waits for
    ///   another one.
    @discardableResult
    public func stopShare(_ share: ShareID, in chat: ChatID) async throws(SharingError) -> ShownShare? {
        let reply = try await stop(chat, share)
        if case .stopped = reply { return nil }
        return try reply.share()
    }

    /// Ends every running share of the caller's, in every chat.
    ///
    /// Without a connection the stop waits, as in ``stopShare(_:in:)``, and this call with it, until the server has answered:
    /// it ends what began before this call.
    ///
    /// - Returns: The shares that ended, also if the stop waited; without any, an empty array.
    /// - Throws: `tooMany` if ``UnsentStop/limit`` stops wait; `unavailable` if the client was stopped or the task canceled;
    ///   the error with which the server refused this client; some shares may have ended.
    @discardableResult
    public func stopShares() async throws(SharingError) -> [ShareID] {
        try await stop(nil).ended()
    }

    /// Ends every running share of the caller's in a chat, as ``stopShares()`` does in every chat.
    ///
    /// - Returns: The shares that ended.
    /// - Throws: As ``stopShares()``.
    @discardableResult
    public func stopShares(in chat: ChatID) async throws(SharingError) -> [ShareID] {
        try await stop(chat).ended()
    }

    /// Ends every running share of the caller's in a chat, without waiting for the server.
    ///
    /// - Throws: `tooMany`.
    func postStop(in chat: ChatID) async throws(SharingError) {
        perform(try stops.add(OutgoingKey.random(in: nil).key, chat: chat, at: now()))
        // While the client doesn't run, no chore is performed, and the stop is written here.
        if !later(.keepStops) { await keepStops() }
    }

    private func stop(_ chat: ChatID?, _ share: ShareID? = nil) async throws(SharingError) -> Reply {
        let id = OutgoingKey.random(in: nil).key
        // While the client isn't running, no other task writes the stop to the store.
        async let keeping: Void = keepStopsWhileIdle()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { add(id, chat, share, for: $0) }
        } onCancel: {
            Task { await self.cancelStop(id) }
        }
        await keeping
        return try result.get()
    }

    private func add(_ id: String, _ chat: ChatID?, _ share: ShareID?, for waiter: Waiter) {
        do throws(SharingError) {
            perform(try stops.add(id, chat: chat, share: share, for: waiter, at: now()))
            // The stop stays for a client that the server accepts; nothing answers it here.
            if let refusal { perform(stops.end(refusal)) }
        } catch {
            waiter.resume(returning: .failure(error))
        }
    }

    private func cancelStop(_ id: String) {
        perform(stops.canceled(id))
    }

    // MARK: - Keeping

    /// Reads the stops of earlier processes, before anything is sent.
    func readStops() async {
        perform(stops.keepAgain())
        guard let stopStore, stops.needsStore else { return }
        do throws(SharingError) {
            let user = try await stopStore.user()
            perform(stops.loaded(try await stopStore.stops(), user: user))
        } catch {
            logger.error("The stops of earlier can't be read.", metadata: ["error": "\(error.message)"])
        }
    }

    /// Has the store do everything that is due; returns at once if another caller does.
    func keepStops() async {
        guard let stopStore else { return }
        while let work = stops.nextWork() {
            do throws(SharingError) {
                try await perform(work, in: stopStore)
                perform(stops.worked(isDone: true))
            } catch {
                logger.error("A stop wouldn't outlive the process.", metadata: ["error": "\(error.message)"])
                perform(stops.worked(isDone: false))
            }
        }
    }

    private func keepStopsWhileIdle() async {
        if !later(.keepStops) { await keepStops() }
    }

    private func perform(_ work: StopWork, in store: any StopStore) async throws(SharingError) {
        switch work {
        case .keep(let stop): try await store.keep(stop)
        case .remove(let id): try await store.remove(stop: id)
        case .setUser(let user): try await store.setUser(user)
        }
    }

    // MARK: - Performing

    /// Notes what an answer says of the server's clock, and of a share that was stopped while it was started.
    func note(_ reply: Reply, to id: OutgoingKey) {
        switch reply {
        case .sent(_, let time): stops.heard(time)
        case .shared(let shown):
            perform(stops.started(id, shown.share, stopID: OutgoingKey.random(in: nil).key, at: now()))
        case .started, .stopped: break
        }
    }

    /// Carries out what the stops decide.
    func perform(_ actions: [Stops<Waiter>.Action]) {
        for action in actions {
            switch action {
            case .write(let frame): write([frame])
            case .resume(let waiter, let result): waiter.resume(returning: result)
            case .withdraw(let id): withdraw(id)
            case .pause(let pause, let wait): later(.resumeStop(pause, after: wait))
            case .report(let error):
                logger.warning("A stop was refused.", metadata: ["code": "\(error.code)"])
            case .work: later(.keepStops)
            case .show:
                waiting.set(stops.waiting)
                resumeIdlers()
            }
        }
    }
}
