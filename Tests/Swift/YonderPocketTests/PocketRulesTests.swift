import Testing
import YonderGeodesy
import YonderLocation
import YonderModel

@testable import YonderPocket

@Suite struct PocketRulesTests {
    // MARK: - In view and in the pocket

    @Test func `a share that starts in view begins a session and updates, and asks to show notifications`()
        throws
    {
        var phone = try Phone(inView: true)
        #expect(
            phone.on(.shareStarted(phone.share(until: 60), phone.user))
                == [.keep(phone.record()), .beginSession, .startUpdates, .askToNotify]
        )
        // Its end is moved: the phone asks for nothing a second time.
        #expect(phone.on(.shareStarted(phone.share(until: 120), phone.user)) == [.keep(phone.record())])
    }

    @Test func `out of view a notification says until when, at most once an hour, and stays in view`()
        throws
    {
        var phone = try Phone(inView: true)
        let end = phone.minute(300)
        _ = phone.on(.shareStarted(phone.share(until: 300), phone.user))
        #expect(phone.on(.leftView, at: 1) == [.keep(phone.record()), .notify(until: end)])
        #expect(phone.on(.cameToView, at: 2) == [])
        #expect(phone.on(.leftView, at: 3) == [.keep(phone.record())])
        #expect(phone.on(.timePassed, at: 60) == [])
        #expect(phone.on(.timePassed, at: 61) == [.keep(phone.record()), .notify(until: end)])
    }

    @Test func `a notification of several shares names the last end, and none if one has no end`() throws {
        var phone = try Phone(inView: true)
        _ = phone.on(.shareStarted(phone.share(1, until: 30), phone.user))
        _ = phone.on(.shareStarted(phone.share(2, until: 50), phone.user))
        #expect(phone.on(.leftView).contains(.notify(until: phone.minute(50))))
        _ = phone.on(.shareStarted(phone.share(3, until: nil), phone.user), at: 1)
        #expect(phone.on(.timePassed, at: 60).contains(.notify(until: nil)))
    }

    @Test func `rest asks for nothing: Core Location goes on by itself`() throws {
        var phone = try Phone.sharing()
        for minute in 1..<59 { #expect(phone.on(.timePassed, at: minute) == []) }
    }

    @Test func `significant changes and visits are asked for with always alone`() throws {
        var phone = try Phone.sharing()
        #expect(phone.on(.authorization(.always)) == [.watchMoves])
        #expect(phone.on(.authorization(.whenInUse)) == [.ignoreMoves])
    }

    // MARK: - The end

    @Test(arguments: Phone.endings)
    func `a share ends, and with it positions, session, notification and record`(_ ending: Phone.Ending)
        throws
    {
        var phone = try Phone.sharing()
        let actions = phone.on(ending.event, at: ending.minute)
        #expect(
            actions.filter { !ending.more.contains($0) }
                == [.removeRecord, .stopUpdates, .endSession, .removeNotice],
            "\(ending.name)"
        )
        #expect(phone.rules.wanted.isEmpty && phone.rules.user == nil)
    }

    @Test func `stop in the notification is in the record until the outbox has it`() throws {
        var phone = try Phone.sharing()
        let actions = phone.on(.stopTapped)
        #expect(phone.record().stopping == [phone.share().chat] && phone.record().wanted.isEmpty)
        #expect(
            actions == [
                .keep(phone.record()), .stopUpdates, .endSession, .removeNotice, .beginTask,
                .stop([phone.share().chat]),
            ]
        )
        // The process ends before the outbox has the stop: the next one repeats it, and takes nothing up.
        var next = try Phone()
        _ = next.on(.launched)
        #expect(
            next.on(.read(.record(phone.record()))) == [
                .beginTask, .flush, .stop([phone.share().chat]), .removeNotice,
            ]
        )
        #expect(next.on(.stopsKept([phone.share().chat])) == [.removeRecord])
        // The flush of the launch was under way: the stop is sent by one more.
        #expect(next.on(.sent) == [.flush])
        #expect(next.on(.sent) == [.endTask])
    }

    @Test func `a second share keeps the session when the first one ends`() throws {
        var phone = try Phone.sharing()
        _ = phone.on(.shareStarted(phone.share(2, until: nil), phone.user))
        #expect(phone.on(.shareEnded(phone.share().chat)) == [.keep(phone.record())])
        #expect(phone.on(.shareEnded(nil)).contains(.endSession))
    }

    // MARK: - Relaunched

    @Test func `a relaunch makes the session anew, sends the outbox, and takes the share up`() throws {
        let record = try Phone.sharing().record()
        var next = try Phone()
        #expect(next.on(.launched, at: 10) == [.readRecord])
        #expect(
            next.on(.read(.record(record)), at: 10)
                == [.beginSession, .beginTask, .flush, .takeUp(record.wanted), .startUpdates]
        )
    }

    @Test(arguments: Phone.untaken) func `a relaunch takes up nothing`(_ case: Phone.Untaken) throws {
        var record = try Phone.sharing().record()
        `case`.change(&record)
        var next = try Phone()
        _ = next.on(.launched, at: `case`.minute)
        let actions = next.on(.read(.record(record)), at: `case`.minute)
        #expect(
            !actions.contains { if case .takeUp = $0 { true } else { $0 == .beginSession } },
            "\(`case`.name)"
        )
        #expect(next.rules.wanted.isEmpty, "\(`case`.name)")
    }

    @Test func `a locked record is read again at the first unlock, or in view`() throws {
        let record = try Phone.sharing().record()
        var next = try Phone()
        #expect(next.on(.launched) == [.readRecord])
        #expect(next.on(.read(.locked)) == [])
        #expect(next.rules.isLocked)
        #expect(next.on(.moved) == [] && next.on(.timePassed) == [])
        #expect(next.on(.dataBecameReadable) == [.readRecord])
        #expect(next.on(.read(.locked)) == [])
        #expect(next.on(.cameToView) == [.readRecord])
        #expect(next.on(.read(.record(record))).prefix(1) == [.beginSession])
        #expect(next.on(.dataBecameReadable) == [])
    }

    @Test func `stop that is tapped before the record can be read stops what the record names`() throws {
        let record = try Phone.sharing().record()
        var next = try Phone()
        _ = next.on(.launched)
        _ = next.on(.read(.locked))
        #expect(next.on(.stopTapped) == [])
        let actions = next.on(.read(.record(record)))
        #expect(actions.contains(.stop([record.wanted[0].chat])) && !actions.contains(.beginSession))
    }

    @Test func `without a permission a relaunch takes the share up, and records later`() throws {
        let record = try Phone.sharing().record()
        var next = try Phone(.denied)
        _ = next.on(.launched)
        #expect(
            next.on(.read(.record(record))) == [.beginTask, .flush, .takeUp(record.wanted), .removeNotice]
        )
        #expect(next.on(.authorization(.whenInUse)) == [.beginSession, .startUpdates])
    }

    @Test func `a record of another account is forgotten, also if it is read after the sign-in`() throws {
        var phone = try Phone(inView: true)
        _ = phone.on(.signedIn(phone.user.id, server: "https://a.example"))
        _ = phone.on(.shareStarted(phone.share(), phone.user))
        let record = phone.record()
        let other = try #require(UserID(phone.user.id.rawValue + 1))
        for (user, server) in [(other, "https://a.example"), (phone.user.id, "https://b.example")] {
            var early = try Phone()
            _ = early.on(.launched)
            _ = early.on(.read(.record(record)))
            #expect(early.on(.signedIn(user, server: server)) == [.removeRecord, .stopUpdates, .endSession])
            var late = try Phone()
            _ = late.on(.launched)
            _ = late.on(.signedIn(user, server: server))
            #expect(late.on(.read(.record(record))) == [.removeRecord])
        }
        var same = try Phone()
        _ = same.on(.launched)
        _ = same.on(.read(.record(record)))
        #expect(same.on(.signedIn(phone.user.id, server: "https://a.example")) == [])
        #expect(same.rules.wanted == record.wanted && same.rules.user(at: "https://b.example") == nil)
    }

    @Test func `a start that is answered after a sign-out isn't noted`() throws {
        var phone = try Phone(inView: true)
        _ = phone.on(.signedOut)
        #expect(phone.on(.shareStarted(phone.share(), phone.user)) == [])
        _ = phone.on(.signedIn(phone.user.id, server: "https://a.example"))
        #expect(phone.on(.shareStarted(phone.share(), phone.user)).contains(.beginSession))
    }

    @Test func `a record that couldn't be written is written again`() throws {
        var phone = try Phone.sharing()
        _ = phone.on(.shareStarted(phone.share(2), phone.user))
        #expect(phone.on(.recordNotKept) == [])
        #expect(phone.on(.timePassed).first == .keep(phone.record()))
        #expect(phone.on(.timePassed) == [])
    }

    @Test func `times ahead of the clock neither silence the notification nor keep a share`() throws {
        var record = try Phone.sharing().record()
        record.lastNotice = record.lastInView + .seconds(86_400 * 365)
        var next = try Phone()
        _ = next.on(.launched)
        _ = next.on(.read(.record(record)))
        #expect(next.on(.timePassed).contains { if case .notify = $0 { true } else { false } })
        record.lastInView = record.lastInView + .seconds(86_400 * 365)
        var unseen = try Phone()
        _ = unseen.on(.launched)
        _ = unseen.on(.read(.record(record)))
        #expect(unseen.rules.wanted.isEmpty)
    }

    // MARK: - Batches

    @Test func `a fix is sent under a task that ends when the server has it`() throws {
        var phone = try Phone.sharing()
        #expect(phone.on(.fixArrived) == [.beginTask])
        #expect(phone.on(.recorded) == [.flush])
        #expect(phone.on(.sent) == [.endTask])
    }

    @Test func `a fix that comes while others are sent keeps the task open`() throws {
        var phone = try Phone.sharing()
        _ = phone.on(.fixArrived)
        _ = phone.on(.recorded)
        #expect(phone.on(.fixArrived) == [])
        // The others are sent before the new one is in the outbox.
        #expect(phone.on(.sent) == [])
        #expect(phone.on(.recorded) == [.flush])
        #expect(phone.on(.fixArrived) == [] && phone.on(.recorded) == [])
        #expect(phone.on(.sent) == [.flush])
        #expect(phone.on(.sent) == [.endTask])
    }

    @Test func `a task expires, and the next fix begins another one`() throws {
        var phone = try Phone.sharing()
        _ = phone.on(.fixArrived)
        _ = phone.on(.recorded)
        #expect(phone.on(.taskExpired) == [.endTask])
        #expect(phone.on(.fixArrived) == [.beginTask])
        #expect(phone.on(.recorded) == [])
        #expect(phone.on(.sent) == [.flush])
        #expect(phone.on(.sent) == [.endTask])
    }

    @Test func `a significant change sends the outbox while a share is wanted`() throws {
        var phone = try Phone.sharing()
        #expect(phone.on(.moved) == [.beginTask, .flush])
        var idle = try Phone()
        _ = idle.on(.launched)
        _ = idle.on(.read(.nothing))
        #expect(idle.on(.moved) == [])
    }

    @Test func `updates that the system ended are asked for at the next event`() throws {
        var phone = try Phone.sharing()
        #expect(phone.on(.updatesEnded) == [])
        #expect(phone.on(.timePassed, at: 1) == [.startUpdates])
    }
}
