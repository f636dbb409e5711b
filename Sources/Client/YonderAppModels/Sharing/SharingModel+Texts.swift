import YonderClient
import YonderGeodesy
public import YonderModel
import YonderWire

// What the screens show of a person's sharing. Views read these while they draw, on the main actor, and again after each
// change of the model. Nothing here changes anything or throws. A further state of a row is a case of `ShareRow.State` with
// its text; words are in `Word`. That a screen never says *nobody sees you* while a share runs must stay, and that a stop
// which isn't sent is named (`SharingModelTests`, `Documentation/sharing.md`).
extension SharingModel {
    /// Whether the app may read the device's position.
    public var permission: Permission { place.permission }

    /// What the person should do about the permission; empty for nothing.
    public var permissionText: String { context.text(of: permission) }

    /// Whether the person is seen by anybody, in any chat or in the world.
    public var isSeen: Bool { !running.isEmpty || isInWorld }

    /// How many people see the person, in words.
    public var seenText: String {
        let viewers = running.reduce(into: Set<UserID>()) { viewers, share in
            let present = chats[share.share.chat]?.chat.participants.filter(\.isPresent) ?? []
            viewers.formUnion(present.map(\.user))
        }
        let count = viewers.subtracting([person.id]).count
        switch (isInWorld, count) {
        case (true, 0): return context.say(.seenWorldAlone)
        case (true, _): return context.say(.seenWorldAndPeople, count: count)
        case (false, 0): return context.say(.appNobodySees)
        case (false, _): return context.say(.seenPeople, count: count)
        }
    }

    /// What every screen shows while this device shares: with whom and until when; empty if it doesn't.
    public var statusText: String {
        let names = here.keys.map(name).sorted().map(\.isolated)
        guard !names.isEmpty else { return "" }
        return [context.say(.appShareFor, ["place": names.joined(separator: ", ")]), lastEnd].filter {
            !$0.isEmpty
        }.joined(separator: " · ")
    }

    /// The same as ``statusText``, or `nil` while this device doesn't share.
    public var status: String? { here.isEmpty ? nil : statusText }

    /// That a stop wasn't sent yet, and what the person should do; empty for nothing.
    public var stopText: String {
        if let failure { return failure }
        guard connection.state != .connected, !stops.isEmpty else { return "" }
        return context.say(stops.allSatisfy(\.outlivesProcess) ? .appStopIsKept : .appStopNeedsApp)
    }

    /// The chats through which the person is seen, or was to be; by name.
    public var rows: [ShareRow] {
        let chats = Set(running.map(\.share.chat)).union(awaited.keys).union(problems.keys)
            .union(stops.compactMap(\.stop.chat)).union(stopping.map(\.share.chat))
        return chats.map(row(in:)).sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// How the sharing in a chat stands, for the bar at the chat's foot.
    public func row(in chat: ChatID) -> ShareRow {
        let state = state(in: chat)
        let share = running(in: chat)
        return ShareRow(
            id: chat,
            name: name(of: chat),
            state: state,
            text: text(of: state, share),
            problem: problem(in: chat, state),
            canExtend: share?.share.until != nil && state != .stopping
        )
    }

    func name(of chat: ChatID) -> String {
        chats[chat].map { context.name(of: $0, for: person.id) } ?? context.say(.pageAChat)
    }

    private func state(in chat: ChatID) -> ShareRow.State {
        if awaited[chat] != nil { return .awaited }
        guard let share = running(in: chat) else { return isStopping(chat) ? .stopping : .off }
        guard here[chat] == share.id else { return .elsewhere }
        return place.position == nil ? .finding : .here
    }

    private func text(of state: ShareRow.State, _ share: ShownShare?) -> String {
        switch state {
        case .off: ""
        case .awaited: context.say(permission == .notAsked ? .appAskPermission : .appAwaited)
        case .finding: context.say(.sharingFinding)
        case .here: end(of: share)
        case .elsewhere: "\(end(of: share)) · \(context.say(.sharingElsewhere))"
        case .stopping: context.say(connection.state == .connected ? .sharingStopping : .sharingStoppingLater)
        }
    }

    private func end(of share: ShownShare?) -> String {
        guard let until = share?.share.until else {
            return context.say(share?.share.arrival == nil ? .sharingUntilYouStop : .sharingUntilYouArrive)
        }
        let left = context.leftText(until - ticker.now)
        return context.say(.sharingEndsAt, ["time": context.clockText(until), "left": left])
    }

    private var lastEnd: String {
        let ends = here.values.map { shares[$0]?.share.until }
        guard !ends.contains(nil), let last = ends.compactMap(\.self).max() else {
            return context.say(.sharingUntilStop)
        }
        return context.say(.sharingUntil, ["time": context.clockText(last)])
    }

    private func problem(in chat: ChatID, _ state: ShareRow.State) -> String {
        switch problems[chat] {
        case .text(let text)?: return text
        case .ended?: return context.say(.sharingEnded, ["place": name(of: chat)])
        case nil: break
        }
        guard state == .here || state == .finding else { return "" }
        if permission != .allowed { return "\(permissionText) \(context.say(.appSeenAsBefore))" }
        return place.failure == nil ? "" : context.say(.sharingUnknown)
    }

    /// The shares that run, as far as this device knows: not those that it stopped.
    var running: [ShownShare] {
        shares.values.filter {
            $0.share.isRunning(at: ticker.now) && $0.freshness.state != .ended && !stopped.contains($0.id)
        }
    }

    /// The shares that this device stopped and the server hasn't ended yet.
    private var stopping: [ShownShare] {
        shares.values.filter { $0.share.isRunning(at: ticker.now) && stopped.contains($0.id) }
    }

    func running(in chat: ChatID) -> ShownShare? {
        let theirs = running.filter { $0.share.chat == chat }
        return theirs.first { $0.id == here[chat] } ?? theirs.max { $0.share.started < $1.share.started }
    }

    private func isStopping(_ chat: ChatID) -> Bool {
        stops.contains { $0.stop.chat == chat } || stopping.contains { $0.share.chat == chat }
    }

    private var isInWorld: Bool { world?.isShown ?? false }
}
