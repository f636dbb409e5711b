import Logging
import NIOPosix
import ServiceLifecycle

/// Checks every two seconds whether the certificate was renewed on disk.
///
/// The application of `ServerAssembly` runs it where there are certificate files. A file that can't be used is logged
/// and tried again; the certificate in use stays. Two seconds may be changed (`FileWatchTests` hold the decision).
struct CertificateRenewal: Service {
    let certificate: ServerCertificate
    let logger: Logger

    func run() async throws {
        // Ends with the server, by cancellation.
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .seconds(2))
                let certificate = certificate
                let outcome = try await NIOThreadPool.singleton.runIfActive { certificate.refresh() }
                report(outcome)
            }
        }
    }

    private func report(_ outcome: ServerCertificate.Outcome) {
        switch outcome {
        case .unchanged: break
        case .renewed: logger.notice("New connections get the renewed certificate")
        case .unusable(let error):
            logger.error(
                "The certificate on disk can't be used; the one before stays in use",
                metadata: ["error": "\(error)"]
            )
        }
    }
}
