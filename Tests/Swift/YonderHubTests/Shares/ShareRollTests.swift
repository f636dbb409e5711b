import Testing
import YonderGeodesy
import YonderModel

@testable import YonderHub

@Suite struct ShareRollTests {
    private let start = Timestamp(milliseconds: 1_764_000_000_000)
    private let chat: ChatID
    private let user: UserID

    init() throws {
        chat = try #require(ChatID(1))
        user = try #require(UserID(1))
    }

    private func share(_ number: Int64 = 1, until: Timestamp? = nil) throws -> Share {
        var share = Share(id: try #require(ShareID(number)), chat: chat, user: user, started: start)
        share.until = until
        return share
    }

    private func position(of share: Share, at time: Timestamp) throws -> Message {
        let place = try #require(Coordinate(latitude: 52, longitude: 13))
        let data = MessageData(position: Position(coordinate: place, timestamp: time))
        var message = Message(chat: chat, number: 1, sender: user, tag: .location, data: data, time: time)
        message.share = share.id
        return message
    }

    @Test func `a share is sent to its viewers once, and again when its freshness changes by itself`() throws
    {
        let share = try share()
        var roll = ShareRoll([share])
        #expect(roll.outdated(at: start).isEmpty, "it has no viewer")
        roll.watch(.chat(chat))
        #expect(roll.outdated(at: start) == [share])
        _ = roll.show([share], at: start, toAll: true)
        #expect(roll.outdated(at: start).isEmpty)
        #expect(roll.outdated(at: start + .seconds(3_600)) == [share])
    }

    @Test func `what others wrote to the store is caught up with, and what has ended here stays so`() throws {
        let (running, other) = (try share(1), try share(2))
        var ended = running
        ended.end = Share.End(time: start + .seconds(1), ending: .stopped)
        var roll = ShareRoll([running])
        roll.update([ended])
        #expect(roll.catchUp([running, other], since: roll.all) == ([other], true))
        #expect(roll.share(running.id, of: user, in: chat) == ended)
        #expect(roll.catchUp([ended, other], since: roll.all) == ([], true))
    }

    @Test func `a change that comes late, or again, makes no ended share run, and no erased one unerased`()
        throws
    {
        let running = try share(1)
        var (ended, erased) = (running, running)
        ended.end = Share.End(time: start + .seconds(1), ending: .stopped)
        erased.end = ended.end
        erased.isErased = true
        var roll = ShareRoll([])
        for late in [running, ended, running, erased, ended, running] { roll.update([late]) }
        #expect(roll.share(running.id, of: user, in: chat) == erased)
        var other = ShareRoll([ended])
        #expect(other.catchUp([erased], since: other.all) == ([erased], true))
        #expect(other.share(running.id, of: user, in: chat) == erased)
    }

    @Test func `what changed while the store was read is newer than what was read`() throws {
        let running = try share(1)
        var longer = running
        longer.until = start + .seconds(7_200)
        var roll = ShareRoll([running])
        let past = roll.all
        roll.update([longer])
        #expect(roll.catchUp([running], since: past) == ([], false))
        #expect(roll.share(running.id, of: user, in: chat) == longer)
        // An end is final, whatever changed meanwhile.
        var ended = running
        ended.end = Share.End(time: start + .seconds(1), ending: .stopped)
        #expect(roll.catchUp([ended], since: past) == ([ended], true))
        #expect(roll.share(running.id, of: user, in: chat) == ended)
    }

    @Test func `positions in a chat that wasn't followed are read again`() throws {
        let share = try share()
        var roll = ShareRoll([share])
        roll.seed(chat, [try position(of: share, at: start)])
        #expect(!roll.needsSeed(chat))
        roll.unseed([chat])
        #expect(roll.needsSeed(chat))
        let later = start + .seconds(600)
        roll.seed(chat, [try position(of: share, at: later)])
        #expect(roll.shown(in: chat, at: later).first?.freshness.state(at: later) == .live)
    }

    @Test func `a chat is watched until its last viewer has left`() throws {
        var roll = ShareRoll([try share()])
        for _ in 0..<2 { roll.watch(.chat(chat)) }
        roll.unwatch(.chat(chat))
        #expect(roll.outdated(at: start).count == 1)
        roll.unwatch(.chat(chat))
        #expect(roll.outdated(at: start).isEmpty)
    }

    @Test func `a position is sent at once when it makes a watched share live, and not otherwise`() throws {
        let share = try share()
        var roll = ShareRoll([share])
        let late = start + .seconds(3_600)
        let unwatched = roll.receive(try position(of: share, at: start), at: start)
        roll.watch(.person(user))
        _ = roll.show([share], at: late, toAll: true)
        let first = roll.receive(try position(of: share, at: late), at: late)
        _ = roll.show([share], at: late, toAll: true)
        let next = roll.receive(try position(of: share, at: late + .seconds(1)), at: late + .seconds(1))
        #expect(!unwatched && first && !next, "no viewer; it becomes live; its viewers know that it is live")
    }

    @Test func `a share is due when its time is over, until its end is stored`() throws {
        let end = start + .seconds(60)
        let share = try share(until: end)
        var roll = ShareRoll([share])
        #expect(roll.due(at: end - .milliseconds(1)).isEmpty)
        #expect(roll.due(at: end) == [ShareRoll.Due(share: share, ending: .expired)])
        var ended = share
        ended.end = Share.End(time: end, ending: .expired)
        roll.update([ended])
        #expect(roll.due(at: end).isEmpty && roll.running(of: user).isEmpty)
    }

    @Test func `viewers are sent the newest end, though an older one arrives after it`() throws {
        func ended(_ number: Int64, after seconds: Int64) throws -> Share {
            var share = try share(number)
            share.end = Share.End(time: start + .seconds(seconds), ending: .stopped)
            return share
        }
        let (late, newest) = (try ended(1, after: 60), try ended(2, after: 90))
        var roll = ShareRoll([try share(1), newest])
        let now = start + .seconds(120)
        #expect(Set(roll.withShownEnds([newest], at: now)) == [newest], "share 1 runs")
        roll.update([late])
        #expect(Set(roll.withShownEnds([late], at: now)) == [late, newest])
        #expect(roll.shown(in: chat, at: now).map(\.id) == [newest.id])
        let equal = try ended(3, after: 90)
        roll.update([equal])
        #expect(roll.shown(in: chat, at: now).map(\.id) == [equal.id])
    }

    @Test func `a heartbeat of a share that is over is refused`() throws {
        let share = try share(until: start + .seconds(60))
        var roll = ShareRoll([share])
        let beat = try #require(ShareHeartbeat())
        func code(at time: Timestamp) -> SharingError.Code? {
            do throws(SharingError) {
                _ = try roll.receive(beat, in: chat, of: user, share: share.id, source: nil, at: time)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code(at: start + .seconds(1)) == nil && code(at: start + .seconds(60)) == .shareEnded)
    }
}
