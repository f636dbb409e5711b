import ArgumentParser
import YonderMigration

/// Copies everything between a data folder and a database: `yonder migrate`.
///
/// An operator runs it while no server uses either end. A failure is a ``CommandFailure`` with the message of
/// ``MigrationError``, and leaves the source as it was. What is copied and compared is decided in `Migration`. Options
/// and the report's lines are promised in `Documentation/cluster.md` (`MigrationTests`).
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Copies everything from a data folder into a PostgreSQL database, or back.",
        discussion: """
            No server may use either of them. The target must be empty; servers refuse it until the copy was compared with the
            source, row by row and chat by chat, and found to be equal. Ids, numbers, keys and hashes of passwords stay, so
            tokens, links and apps go on working. The source's content stays as it is.

            Examples:
              yonder migrate --from yonder-data --to postgres://yonder@127.0.0.1/yonder
              yonder migrate --from postgres://yonder@127.0.0.1/yonder --to yonder-data
            """
    )

    @Option(
        help: ArgumentHelp("The data folder or the database that has everything.", valueName: "folder|url")
    )
    var from: String

    @Option(help: ArgumentHelp("The new data folder or the empty database.", valueName: "folder|url"))
    var to: String

    func run() async throws {
        for place in [from, to] { try FolderOwner.become(of: place) }
        do throws(MigrationError) {
            try await migrate()
        } catch {
            throw CommandFailure(error.message)
        }
    }

    private func migrate() async throws(MigrationError) {
        let source = try await MigrationPlace(from).source()
        do throws(MigrationError) {
            let target = try await MigrationPlace(to).target()
            do throws(MigrationError) {
                try await Migration(from: source, to: target) { print($0) }.run()
            } catch {
                await target.close()
                throw error
            }
            await target.close()
            print("\(target.place) has everything that \(source.place) has, and can be used now.")
        } catch {
            await source.close()
            throw error
        }
        await source.close()
    }
}
