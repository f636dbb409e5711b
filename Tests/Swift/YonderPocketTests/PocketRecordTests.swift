import Foundation
import Testing
import YonderGeodesy
import YonderModel

@testable import YonderPocket

@Suite @MainActor struct PocketRecordTests {
    @Test func `a record comes back from its file as it was`() throws {
        try withStore { store, _ in
            #expect(store.read() == .nothing)
            let phone = try Phone.sharing()
            var record = phone.record()
            record.user = User(
                id: phone.user.id,
                name: "Mia",
                email: "mia@example.org",
                avatar: "/mia",
                hue: 26
            )
            record.wanted.append(phone.share(2, until: nil))
            record.stopping = [phone.share(3).chat]
            try store.keep(record)
            #expect(store.read() == .record(record))
            record.wanted = []
            try store.keep(record)
            #expect(store.read() == .record(record))
            try store.remove()
            #expect(store.read() == .nothing)
            try store.remove()
        }
    }

    @Test func `a file that exists and can't be read is locked, and one that is no record is nothing`() throws
    {
        try withStore { store, file in
            // A folder in its place can't be read, as a protected file can't.
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
            #expect(store.read() == .locked)
            try store.remove()
            for text in ["", "{}", #"{"wanted":[],"stopping":[-1],"lastInView":0}"#] {
                try Data(text.utf8).write(to: file)
                #expect(store.read() == .nothing, "\(text)")
            }
        }
    }

    private func withStore(_ body: (FilePocketRecordStore, URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pocket-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(FilePocketRecordStore(folder: folder), folder.appending(path: "pocket.json"))
    }
}
