import ArgumentParser
import YonderGeodesy
import YonderModel
import YonderStorage

/// Fills a chat of a stopped server's folder with years of positions, through the store's own writing.
@main
struct GrowthFolder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth-folder",
        abstract: "Fills a chat with years of positions."
    )

    @Argument(help: "The data folder of a server that isn't running.") var folder: String
    @Argument(help: "The chat's id.") var chat: String
    @Option(help: "How many positions.") var positions = 100_000
    @Option(help: "The newest message's time, in milliseconds since 1970.") var end: Int64

    func run() async throws {
        guard let id = ChatID(chat), positions > 0 else { throw ValidationError("No chat has this id.") }
        let store = try SQLiteStore.open(folder: folder)
        let people = try await store.chat(id).participants.map(\.user)
        guard people.count >= 6 else { throw ValidationError("The chat must have at least six people.") }
        try await History(of: people, in: id, positions: positions, end: Timestamp(milliseconds: end))
            .write(to: store)
        try store.close()
    }
}
