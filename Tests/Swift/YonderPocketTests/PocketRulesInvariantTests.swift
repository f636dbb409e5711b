import TestSupport
import Testing
import YonderGeodesy
import YonderLocation
import YonderModel

@testable import YonderPocket

@Suite struct PocketRulesInvariantTests {
    @Test func `invariant 1 of PocketRules: positions need a share, a permission and a session`()
        throws
    {
        try run { state, _ in
            if state.isUpdating {
                #expect(state.hasSession && state.isAuthorized && !state.rules.wanted.isEmpty)
            }
        }
    }

    @Test func `invariant 2 of PocketRules: a session begins in view, or anew after a relaunch`() throws {
        try run { state, actions in
            guard actions.contains(.beginSession) else { return }
            #expect(state.isInView || state.wasRelaunched)
            state.wasRelaunched = false
        }
    }

    @Test func `invariant 3 of PocketRules: a stopped, ended or unseen share isn't taken up`() throws {
        try run { state, actions in
            for case .takeUp(let shares) in actions {
                #expect(shares.allSatisfy { !state.stopped.contains($0.id) && !$0.isOver(at: state.now) })
                #expect(state.now - state.lastInView < PocketRules.longestUnseen + PocketRules.sightPause)
            }
        }
    }

    @Test func `invariant 4 of PocketRules: a locked record changes nothing`() throws {
        for event in [
            PocketEvent.timePassed, .moved, .leftView, .authorization(.always), .shareEnded(nil),
            .read(.locked),
        ] {
            var phone = try Phone()
            _ = phone.on(.launched)
            _ = phone.on(.read(.locked))
            #expect(phone.on(event) == [])
            #expect(phone.rules.isLocked)
        }
    }

    @Test func `invariant 5 of PocketRules: at most one task, open while a fix is under way`() throws {
        try run { state, _ in
            #expect(state.tasks == 0 || state.tasks == 1)
            if state.isRecording, !state.rules.wanted.isEmpty, !state.hasExpired { #expect(state.tasks == 1) }
        }
    }

    @Test func `invariant 6 of PocketRules: a notification at most hourly, never in view`() throws {
        try run { state, actions in
            guard actions.contains(where: { if case .notify = $0 { true } else { false } }) else { return }
            #expect(!state.isInView)
            #expect(state.lastNotice.map { state.now - $0 >= PocketRules.noticePause } ?? true)
            state.lastNotice = state.now
        }
    }

    /// Plays random days, and checks after each event.
    private func run(_ check: (inout PocketState, [PocketAction]) -> Void) throws {
        for seed in UInt64(0)..<60 {
            var random = SeededGenerator(seed: seed)
            var state = try PocketState()
            for _ in 0..<150 {
                let actions = state.step(&random)
                check(&state, actions)
            }
        }
    }
}
