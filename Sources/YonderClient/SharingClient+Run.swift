import Logging
public import YonderModel
import YonderWire

extension SharingClient {
    /// Connects and stays connected until the task is canceled.
    ///
    /// - Throws: The error with which the server refuses this client, such as `invalidCredentials`;
    ///   `unavailable` if the outbox can't be read. Unsent messages stay in the outbox.
    public func run() async throws(SharingError) {
        precondition(!isRunning, "A client runs once at a time.")
        isRunning = true
        let error = await untilEnd()
        isRunning = false
        end(error ?? SharingError(.unavailable, "The client was stopped."))
        if let error { throw error }
    }

    private func untilEnd() async -> SharingError? {
        let (stream, continuation) = AsyncStream.makeStream(of: Chore.self)
        chores = continuation
        defer { chores = nil }
        do throws(SharingError) {
            try await readOutbox()
        } catch {
            return error
        }
        return await withTaskGroup(of: SharingError?.self) { group in
            group.addTask { await self.stayConnected() }
            group.addTask {
                await self.work(stream)
                return nil
            }
            let error = await group.next() ?? nil
            group.cancelAll()
            return error
        }
    }

    private func readOutbox() async throws(SharingError) {
        guard early != nil else { return }
        let entries = try await outbox.entries()
        let posted = early ?? []
        early = nil
        for entry in entries + posted.sorted(by: { $0.id < $1.id }) { post(entry) }
    }

    private func stayConnected() async -> SharingError? {
        var action = state.begin()
        while !Task.isCancelled {
            switch action {
            case .connect:
                let (closure, lasted) = await connection()
                logger.info("Not connected.", metadata: ["reason": "\(closure)"])
                var random = SystemRandomNumberGenerator()
                action = state.closed(closure, lasted: lasted, using: &random)
            case .wait(let duration):
                try? await clock.sleep(for: duration)
                action = state.begin()
            case .end(let error): return error
            }
        }
        return nil
    }

    /// Runs one connection from opening to end.
    private func connection() async -> (LinkClosure, lasted: Duration) {
        let link: any StreamLink
        do throws(LinkClosure) {
            link = try await connect()
        } catch {
            return (error, .zero)
        }
        state.opened()
        let timer = Stopwatch(clock)
        let closure = await read(link)
        link.close()
        disconnected()
        return (closure, timer.elapsed())
    }

    private func read(_ link: any StreamLink) async -> LinkClosure {
        do throws(LinkClosure) {
            while !Task.isCancelled {
                for frame in try await link.next() { try take(frame, from: link) }
            }
            return .lost("Stopped.")
        } catch {
            return error
        }
    }

    private func take(_ bytes: [UInt8], from link: any StreamLink) throws(LinkClosure) {
        let frame: ServerFrame?
        do throws(SharingError) {
            frame = try bytes.withUnsafeBufferPointer { text throws(SharingError) in
                try ServerFrame.parse(UnsafeRawBufferPointer(text))
            }
        } catch {
            throw .lost("The server sent a frame that can't be read: \(error.message)")
        }
        guard let frame else { return }
        guard case .hello = frame else { return receive(frame) }
        connected(link)
    }

    private func connected(_ link: any StreamLink) {
        state.greeted()
        self.link = link
        for id in subscriptions.keys.sorted() { open(id) }
        showPin()
        for frame in outgoing.connected() { write(frame) }
        for (chat, number) in marks { write(.read(chat: chat, number: number)) }
        marks = [:]
        connectionChanges.yield(true)
    }

    private func disconnected() {
        if link != nil { connectionChanges.yield(false) }
        link = nil
        shownPin = nil
        isPinResting = false
        topics = [:]
        outgoing.disconnected()
        for id in passing {
            resume(id, .failure(SharingError(.unavailable, "The connection broke before the answer.")))
        }
        passing = []
    }

    private func end(_ error: SharingError) {
        let waiting = waiters
        waiters = [:]
        for waiter in waiting.values.joined() { waiter.resume(returning: .failure(error)) }
        endIdling()
        for subscription in subscriptions.values { subscription.finish(error) }
        subscriptions = [:]
        queries = [:]
    }

    func write(_ frame: ClientFrame) {
        link?.write(frame.encoded())
    }

    // MARK: - Chores

    private func work(_ chores: AsyncStream<Chore>) async {
        await withDiscardingTaskGroup { group in
            for await chore in chores {
                group.addTask { await self.perform(chore) }
            }
        }
    }

    private func perform(_ chore: Chore) async {
        switch chore {
        case .resumeSending(let pause, let wait):
            try? await clock.sleep(for: wait)
            for frame in outgoing.resume(pause) { write(frame) }
        case .resubscribe(let id, let wait):
            try? await clock.sleep(for: wait)
            open(id)
        case .movePin:
            try? await clock.sleep(for: Self.pinInterval)
            isPinResting = false
            if pin != shownPin { showPin() }
        case .forget(let id):
            guard let chat = id.chat else { return }
            do throws(SharingError) {
                try await outbox.remove(key: id.key, from: chat)
            } catch {
                // After a restart it is sent again, and the server returns the same number.
                logger.warning(
                    "The outbox keeps a message that was sent.",
                    metadata: ["error": "\(error.message)"]
                )
            }
        }
    }
}
