import Synchronization
import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@testable import YonderHub

@Suite struct OpenRequestNodesTests {
    @Test func `a sign-in that ends on one node ends the requests that it makes on every node`() async throws
    {
        try await NodesHarness.run(nodes: 3) { harness in
            let user = harness.people[1].id
            let token = Credential(secret: .random(), kind: .token, user: user, created: .now, expires: nil)
            let other = Credential(secret: .random(), kind: .token, user: user, created: .now, expires: nil)
            for credential in [token, other] { try await harness.stores[0].createCredential(credential) }
            let version = try await harness.store.account(user).version
            let cut = Mutex<[String]>([])
            for (node, exchange) in harness.nodes.enumerated() {
                for (name, credential) in [("ended", token), ("other", other)] {
                    let held = HeldSignIn(
                        user: user,
                        credential: credential.secret,
                        expires: nil,
                        version: version,
                        needsOperator: false,
                        time: .now
                    )
                    _ = exchange.requests.add(held) { cut.withLock { $0.append("\(name) \(node)") } }
                }
            }
            try await harness.stores[1].removeCredential(token.secret, of: user)
            while cut.withLock(\.count) < 3 { await Task.yield() }
            #expect(cut.withLock { $0.sorted() } == ["ended 0", "ended 1", "ended 2"])
            #expect(harness.nodes[0].requests.signIns.keys.sorted { $0.source < $1.source } == [other.secret])
        }
    }

    @Test func `an operator's role that ends cuts what needs it, and nothing else`() {
        let requests = OpenRequests()
        let cut = Mutex<[Bool]>([])
        let user = UserID.random()
        for needsOperator in [true, false] {
            let held = HeldSignIn(
                user: user,
                credential: .random(),
                expires: nil,
                version: 3,
                needsOperator: needsOperator,
                time: .now
            )
            _ = requests.add(held) { cut.withLock { $0.append(needsOperator) } }
        }
        requests.end(by: SignInChange(user, versions: 2...3, ended: .all))
        #expect(cut.withLock(\.self) == [], "an older change")
        requests.end(by: SignInChange(user, versions: 3...4, ended: .role))
        #expect(cut.withLock(\.self) == [true])
        requests.end(by: SignInChange(user, versions: 4...5, ended: .all))
        #expect(cut.withLock(\.self) == [true, false])
    }
}
