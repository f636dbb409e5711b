import Crypto
import Testing
import YonderModel
import YonderServer

@Suite struct SecretTests {
    @Test func `a secret is 256 bits that never repeat, and hashes to what is kept`() throws {
        let secrets = (0..<1_000).map { _ in Secret.random() }
        #expect(Set(secrets.map(\.text)).count == 1_000)
        for secret in secrets.prefix(10) {
            #expect(secret.text.utf8.count == 43)
            #expect(try #require(Secret(secret.text)).hash == secret.hash)
        }
    }

    @Test func `it is the hash of the bytes`() throws {
        let secret = try #require(Secret(String(repeating: "A", count: 43)))
        #expect(secret.hash.bytes == Array(SHA256.hash(data: [UInt8](repeating: 0, count: 32))))
    }

    @Test(arguments: [
        "", "A", String(repeating: "A", count: 42), String(repeating: "A", count: 44),
        String(repeating: "A", count: 42) + "B", String(repeating: "A", count: 42) + "=",
        String(repeating: "A", count: 42) + "+", String(repeating: "é", count: 21) + "A",
    ])
    func `what has another form is none`(text: String) {
        #expect(Secret(text)?.text == nil)
    }

    @Test func `a password is told from another, whatever cost it was hashed with`() async throws {
        let old = PasswordHasher(cost: 3)
        let hash = try await old.hash("correct horse")
        #expect(hash.hasPrefix("$scrypt$ln=3,r=8,p=1$"))
        let hasher = PasswordHasher(cost: 4)
        #expect(try await hasher.verify("correct horse", against: hash))
        #expect(try await !hasher.verify("wrong horse", against: hash))
        #expect(try await !hasher.verify("correct horse", against: nil))
        #expect(try await old.hash("correct horse") != hash)
        for damaged in ["", "$scrypt$ln=99,r=8,p=1$AA$AA", String(hash.dropLast()), hash + "$"] {
            #expect(try await !hasher.verify("correct horse", against: damaged))
        }
    }

    @Test(arguments: ["short", "", String(repeating: "x", count: 1_001)])
    func `a password that is too short or too long is refused`(password: String) async throws {
        await #expect(throws: SharingError(.invalidField, "A password has 8 to 1000 bytes.")) {
            try await PasswordHasher(cost: 1).hash(password)
        }
    }

    @Test func `more than a few passwords at once wait, and too many are refused`() async throws {
        let hasher = PasswordHasher(cost: 8, concurrency: 1, waitingLimit: 2)
        let outcomes = await withTaskGroup(of: SharingError.Code?.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    do throws(SharingError) {
                        _ = try await hasher.hash("correct horse")
                        return nil
                    } catch {
                        return error.code
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.contains(nil))
        #expect(outcomes.allSatisfy { $0 == nil || $0 == .tooManyRequests })
        #expect(try await hasher.hash("correct horse").isEmpty == false)
    }
}
