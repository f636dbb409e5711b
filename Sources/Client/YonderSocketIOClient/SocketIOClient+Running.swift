import YonderLink
import YonderModel
import YonderWire

// The shell: what runs while a connection lasts. `SocketIOClient.run()` calls it; `ConnectionState` decides when to connect
// again, `SocketConversation` what to send and to answer, and this file does it, one step after another on the actor. A
// connection that ends is no error of the caller's: the next begins after a wait. An event that waits for its acknowledgement
// is answered, or fails with `notAcknowledged`. Decisions belong into the values, and are tested there. `SocketIOClientTests`
// and `LiveServerTests` hold that one connection runs at a time, and that an event after its end isn't sent. The order of the
// steps must stay; how tasks are grouped may change.
extension SocketIOClient {
    /// A task to perform while a connection lasts.
    enum Chore: Sendable {
        case poll(LinkRequest)
        case post(LinkRequest)
        case open(StreamTarget)
        case wake(Duration)
    }

    func stayConnected() async -> SharingError? {
        var action = reconnection.begin()
        while !Task.isCancelled, !isLeaving {
            switch action {
            case .connect:
                current.set(.connecting)
                guard case .closed(let closure) = await converse() else { return nil }
                action = closed(closure)
            case .wait(let time):
                await pass(time)
                action = reconnection.begin()
            case .end(let error): return error
            }
        }
        return nil
    }

    private func closed(_ closure: LinkClosure) -> ConnectionState.Action {
        let lasted = connectedSince.map { elapsed() - $0 } ?? .zero
        current.set(.waiting(closure.error))
        var random = SystemRandomNumberGenerator()
        return reconnection.closed(closure, lasted: lasted, using: &random)
    }

    /// Waits so long, or until the client leaves.
    private func pass(_ time: Duration) async {
        // A stream of its own: one whose reader was canceled has ended.
        let (left, leaving) = AsyncStream.makeStream(of: Never.self)
        self.leaving = leaving
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [clock] in try? await clock.sleep(for: time) }
            group.addTask { for await _ in left {} }
            await group.next()
            group.cancelAll()
        }
        self.leaving = nil
    }

    /// Runs one connection from its first request to its end.
    private func converse() async -> Ending {
        let (stream, chores) = AsyncStream.makeStream(of: Chore.self)
        (self.chores, ending, alarm, connectedSince) = (chores, nil, nil, nil)
        connection += 1
        conversation = Conversation(settings)
        take { $0.begin(at: elapsed()) }
        await withDiscardingTaskGroup { group in
            for await chore in stream { group.addTask { await self.carryOut(chore) } }
            group.cancelAll()
        }
        // Nothing if the conversation has ended; else the task is canceled.
        take { $0.cut(.lost("Stopped."), at: elapsed()) }
        (self.chores, conversation, link) = (nil, nil, nil)
        if connectedSince != nil { board.put(EventBoard.disconnect, [], nil) }
        return ending ?? .left
    }

    private func carryOut(_ chore: Chore) async {
        switch chore {
        case .poll(let request):
            let answer = await answer(to: request)
            take { $0.polled(answer, at: elapsed()) }
        case .post(let request):
            let answer = await answer(to: request)
            take { $0.posted(answer, at: elapsed()) }
        case .open(let target): await read(target)
        case .wake(let time):
            do { try await clock.sleep(for: max(.zero, time - elapsed())) } catch { return }
            if alarm == time { alarm = nil }
            take { $0.tick(at: elapsed()) }
        }
    }

    private func answer(to request: LinkRequest) async -> Result<LinkAnswer, LinkClosure> {
        do throws(LinkClosure) {
            return .success(try await links.requests.answer(to: request))
        } catch {
            return .failure(error)
        }
    }

    /// Opens the WebSocket, and reads it until it ends.
    private func read(_ target: StreamTarget) async {
        let closure: LinkClosure
        do throws(OpenFailure) {
            let opened = try await links.webSocket(target, settings.headers)
            closure = await listen(to: opened)
            opened.close()
        } catch {
            closure = error.closure
        }
        take { $0.socketClosed(closure, at: elapsed()) }
    }

    private func listen(to opened: any StreamLink) async -> LinkClosure {
        link = opened
        take { $0.socketOpened(at: elapsed()) }
        do throws(LinkClosure) {
            while true {
                for frame in try await opened.next() {
                    take { $0.socketReceived(frame, isWritable: opened.isWritable, at: elapsed()) }
                }
            }
        } catch {
            return error
        }
    }

    // MARK: - Performing

    /// Has the conversation decide, and carries out what it decides.
    func take(_ decide: (inout Conversation) -> [Conversation.Step]) {
        guard let steps = conversation?.changed(by: decide) else { return }
        perform(steps)
    }

    func perform(_ steps: [Conversation.Step]) {
        for step in steps {
            switch step {
            case .engine(let step): perform(step)
            case .connected:
                reconnection.opened()
                reconnection.greeted()
                connectedSince = elapsed()
                current.set(.connected)
                board.put(EventBoard.connect, [], nil)
            case .event(let event, let id):
                let acknowledgement = id.map { SocketIOEvent.Acknowledgement(id: $0, connection: connection) }
                board.put(event.name, event.arguments, acknowledgement)
            case .resume(let waiter, let outcome): waiter.resume(returning: outcome.result)
            case .end(let ending):
                self.ending = ending
                chores?.finish()
            }
        }
        setAlarm()
    }

    private func perform(_ step: EngineConversation.Step) {
        switch step {
        case .poll(let request): chores?.yield(.poll(request))
        case .post(let request): chores?.yield(.post(request))
        case .openSocket(let target): chores?.yield(.open(target))
        case .write(let text): link?.write(text)
        case .closeSocket: link?.close()
        case .opened, .deliver, .end: break
        }
    }

    /// Wakes the conversation at its deadline; an alarm that is set for an earlier time is enough.
    private func setAlarm() {
        guard let deadline = conversation?.deadline else { return }
        if let alarm, alarm <= deadline { return }
        alarm = deadline
        chores?.yield(.wake(deadline))
    }
}

extension SocketConversation.Outcome {
    /// What the caller of an event is returned.
    fileprivate var result: Result<[SocketIOArgument], SharingError> {
        switch self {
        case .acknowledged(let values): .success(values.map { SocketIOArgument(json: $0) })
        case .unknown(let reason): .failure(SharingError(.notAcknowledged, reason))
        }
    }
}

extension LinkClosure {
    /// The reason, for an app to show.
    fileprivate var error: SharingError {
        switch self {
        case .lost(let reason): SharingError(.unavailable, reason)
        case .later(let wait, let reason): SharingError(.unavailable, reason, retryAfter: wait)
        case .refused(let error): error
        }
    }
}

extension OpenFailure {
    /// The failure as the end of a connection.
    fileprivate var closure: LinkClosure {
        switch self {
        case .closed(let closure): closure
        case .notUpgraded: .lost("The server didn't upgrade the connection to a WebSocket.")
        }
    }
}

extension SocketConversation {
    /// Changes the conversation in its place.
    fileprivate mutating func changed<Result>(by change: (inout Self) -> Result) -> Result { change(&self) }
}
