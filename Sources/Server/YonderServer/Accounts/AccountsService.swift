package import Logging
import ServiceLifecycle
package import YonderAccounts
import YonderGeodesy
import YonderModel
package import YonderRules

/// Looks after accounts while the server runs: once a minute it tells the store who was seen, removes what is over, goes
/// on with removals that were interrupted, and removes images that nothing has named for a day.
///
/// `ServerProcess` runs it as a service, and it works once more when the server ends, so that the last uses are stored.
/// A failure is logged and tried again a minute later. On several nodes each does it: every step may be repeated.
///
/// The minute may be changed; how long an image is kept that nothing names is `StoredImage.looseLifetime` (`ImageTests`).
package struct AccountsService: Service {
    private let accounts: Accounts
    private let removal: Removal
    private let images: any ImageStore
    private let logger: Logger

    package init(accounts: Accounts, removal: Removal, images: any ImageStore, logger: Logger) {
        self.accounts = accounts
        self.removal = removal
        self.images = images
        self.logger = logger
    }

    package func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                while true {
                    await tidy()
                    try await ContinuousClock().sleep(for: .seconds(60))
                }
            }
        } catch is CancellationError {}
        await tidy()
    }

    private func tidy() async {
        do throws(SharingError) {
            try await accounts.tidy()
            try await removal.finish()
            try await images.removeLooseImages(before: accounts.now() - StoredImage.looseLifetime)
        } catch {
            logger.warning("Accounts can't be looked after now", metadata: ["code": "\(error.code)"])
        }
    }
}
