import Foundation
import NIOSSL
import TestSupport

/// A certificate for `localhost` that nobody signed but its owner.
struct TestCertificate {
    /// The certificate, in PEM form.
    let file: String
    private let key: String
    private let folder = TemporaryFolder()

    /// Makes one.
    init() async throws {
        let folder = try folder.made()
        (file, key) = ("\(folder)/own.pem", "\(folder)/own.key")
        let nothing = try FileHandle(forWritingTo: URL(filePath: "/dev/null"))
        let process = try ChildProcess(
            [
                "/usr/bin/env", "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", file,
            ],
            complaints: nothing.fileDescriptor
        )
        await process.ended()
        guard process.hasSucceeded else { throw CocoaError(.executableLoad) }
    }

    /// What a server with this certificate needs.
    func serverContext() throws -> NIOSSLContext {
        let certificates = try NIOSSLCertificate.fromPEMFile(file).map {
            NIOSSLCertificateSource.certificate($0)
        }
        let key = try NIOSSLPrivateKey(file: key, format: .pem)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: certificates,
                privateKey: .privateKey(key)
            )
        )
    }
}
