import Testing
import YonderModel

@testable import YonderHub

@Suite struct ReadLanesTests {
    private func user(_ number: Int64) throws -> UserID { try #require(UserID(number)) }

    @Test func `the sessions of a user share a lane, which goes with the last of them`() throws {
        let lanes = ReadLanes()
        let user = try user(1)
        let (first, second) = (lanes.enter(user), lanes.enter(user))
        #expect(first === second && lanes.lane(of: user) === first)
        lanes.leave(user)
        #expect(lanes.count == 1)
        lanes.leave(user)
        #expect(lanes.count == 0)
    }

    @Test func `a user who connects again before the last read has ended gets the same lane`() throws {
        let lanes = ReadLanes()
        let user = try user(1)
        var queue = ReadQueue(limit: 1)
        let lane = lanes.enter(user)
        queue.append(PendingRead(in: lane) { _ in })
        let next = queue.next()
        let read = try #require(next)
        lanes.leave(user)
        #expect(lanes.enter(user) === lane)
        lanes.leave(user)
        queue.ended(read)
        lanes.removeIfIdle(lane)
        #expect(lanes.count == 0 && lanes.enter(user) !== lane)
    }

    @Test func `a lane that is idle stays while its user has a session`() throws {
        let lanes = ReadLanes()
        let lane = lanes.enter(try user(1))
        lanes.removeIfIdle(lane)
        lanes.removeIfIdle(ReadLane(of: try user(1)))
        lanes.removeIfIdle(ReadLane())
        #expect(lanes.count == 1)
    }
}
