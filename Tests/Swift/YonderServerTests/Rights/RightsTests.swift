import Foundation
import HTTPTypes
import TestSupport
import Testing
import YonderModel
import YonderREST
import YonderRules
import YonderServer

/// Walks the table *Where a right is judged* of ARCHITECTURE.md.
@Suite struct RightsTests {
    @Test func `every route that changes something has a row in the table of rights, and a step here`()
        async throws
    {
        let server = try await TestServer()
        let changing = server.assembly.routes.filter { ![.get, .head].contains($0.method) }
            .map { "\($0.method.rawValue) \($0.path)" }
        let rows = try Self.rows()
        let steps = Set(WalkStep.all.map(\.testDescription))
        for route in changing {
            #expect(rows.contains(route), "ARCHITECTURE.md has no row for \(route).")
            #expect(steps.contains(route) != WalkStep.without.contains(route), "\(route)")
        }
        #expect(steps.isSubset(of: changing) && changing.count > 40)
    }

    @Test(arguments: WalkStep.all)
    func `a request is done while its right holds`(_ step: WalkStep) async throws {
        try await WalkScene.run { scene in
            let reply = try await scene.send(step)
            #expect((200..<300).contains(reply.status), "\(reply.text)")
        }
    }

    @Test(arguments: WalkStep.all)
    func `a request whose right ends behind its head changes nothing, wherever the right ended`(
        _ step: WalkStep
    )
        async throws
    {
        for ending in Self.endings(of: step) {
            try await WalkScene.run { scene in
                // Another node's store, whose commits this node's exchange doesn't hear of.
                let other = MemoryStore(beside: scene.server.store)
                let (ada, before) = (try scene.user, Pictures())
                scene.server.store.interruption.behindHead {
                    await Self.end(ending, of: ada, in: other)
                    await before.take(scene)
                }
                let reply = try await scene.send(step)
                #expect(Self.isRefused(reply), "\(ending): \(reply.text)")
                #expect(try await scene.picture() == before.picture, "\(ending)")
            }
        }
    }

    @Test(arguments: WalkStep.all)
    func `a request whose right ends between its reads and its change changes nothing`(_ step: WalkStep)
        async throws
    {
        for ending in Self.endings(of: step) {
            try await WalkScene.run { scene in
                scene.server.store.interruption.beforeChange(ending, of: try scene.user)
                let reply = try await scene.send(step)
                #expect(Self.isRefused(reply), "\(ending): \(reply.text)")
                let ended = try #require(scene.server.store.atInterruption)
                #expect(try await scene.picture() == StorePicture.lines(of: ended), "\(ending)")
            }
        }
    }

    private static func endings(of step: WalkStep) -> [EndedRight] {
        [.credential, .disabled, .removed] + (step.isOperators ? [.role] : [])
    }

    private static func isRefused(_ reply: Reply) -> Bool {
        ["notSignedIn", "notAllowed", "unknownUser"].contains(reply.code)
    }

    private static func end(_ ending: EndedRight, of user: UserID, in store: MemoryStore) async {
        var change = AccountChange()
        switch ending {
        case .credential, .expired:
            _ = try? await store.removeCredentials(of: user, kinds: [.session, .token], except: nil)
        case .removed: try? await store.remove(user)
        case .disabled:
            change.isDisabled = true
            _ = try? await store.change(user, change)
        case .role:
            change.isOperator = false
            _ = try? await store.change(user, change)
        }
    }

    /// The routes in the first column of the table, between backticks.
    private static func rows() throws -> Set<String> {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../../ARCHITECTURE.md").standardizedFileURL
        let text = try String(contentsOf: page, encoding: .utf8)
        let section = text.components(separatedBy: "\n## ").first { $0.hasPrefix("Where a right is judged") }
        let lines = try #require(section).split(separator: "\n").filter { $0.hasPrefix("| `") }
        return Set(
            lines.flatMap { line -> [String] in
                let cell = line.split(separator: "|").first ?? ""
                return cell.split(separator: "`").map(String.init).filter { $0.contains(" /") }
            }
        )
    }
}

/// The picture of a store at a moment in a request.
private actor Pictures {
    private(set) var lines: [String] = []

    var picture: [String] { lines }

    func take(_ scene: WalkScene) async { lines = (try? await scene.picture()) ?? [] }
}
