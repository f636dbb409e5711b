public import NIOCore
public import NIOPosix
public import YonderLocation
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The commands `yonder share` and `yonder locate`, and apps, make their source here, once. Whether a path is a recording is
// decided by the file's type at that moment: a device that is plugged in later is waited for. ``largestFile`` may be raised,
// as a recording is read as a whole. Codes of errors are promised (`ReceiverAddressTests`, `Documentation/receivers.md`).
extension ReceiverAddress {
    /// The largest recorded file that is read, in bytes: 256 MB, some weeks of a receiver's sentences.
    public static let largestFile = 256_000_000

    /// Creates the source of this receiver, not started yet.
    ///
    /// - Parameters:
    ///   - speed: The speed for replaying a file, as a multiple of the recorded one; a live receiver ignores
    ///     it.
    ///   - isLooping: Whether a file begins again after its end.
    ///   - timing: The source's timeouts and retries.
    ///   - eventLoopGroup: The event loops on which the source runs.
    /// - Returns: The source.
    /// - Throws: ``LocationError`` with code `sourceUnreadable` for a folder, or a recorded file that is too
    ///   large or has no sentences with positions and times; `notAuthorized` or `sourceLost` for a file that
    ///   can't be read. A missing device is no error: the source waits for it.
    public func makeSource(
        speed: Double = 1,
        isLooping: Bool = false,
        timing: ReceiverTiming = ReceiverTiming(),
        eventLoopGroup: any EventLoopGroup = .singletonMultiThreadedEventLoopGroup
    ) throws(LocationError) -> any LocationSource {
        switch self {
        case .gpsd(let address):
            return GpsdSource(address, timing: timing, eventLoopGroup: eventLoopGroup)
        case .nmea(.standardInput) where Self.isRecording("/dev/stdin"):
            return try Self.recording("/dev/stdin", speed, isLooping)
        case .nmea(let input):
            return NMEASource(input, timing: timing, eventLoopGroup: eventLoopGroup)
        case .path(let path, _) where Self.isRecording(path):
            return try Self.recording(path, speed, isLooping)
        case .path(let path, let baudRate):
            let input = NMEASource.Input.device(path: path, baudRate)
            return NMEASource(input, timing: timing, eventLoopGroup: eventLoopGroup)
        }
    }

    /// Whether the path is a regular file or a folder, and not a device.
    private static func isRecording(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    private static func recording(
        _ path: String,
        _ speed: Double,
        _ isLooping: Bool
    ) throws(LocationError) -> TrackSource {
        try TrackSource(readingNMEA: contents(of: path), speed: speed, isLooping: isLooping)
    }

    private static func contents(of path: String) throws(LocationError) -> [UInt8] {
        do {
            var status = stat()
            guard stat(path, &status) != 0 || status.st_size <= largestFile else {
                throw LocationError(.sourceUnreadable, "\(path) is larger than 256 MB.")
            }
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch let error as LocationError {
            throw error
        } catch {
            let isRefusal = access(path, R_OK) != 0 && errno == EACCES
            let code: LocationError.Code = isRefusal ? .notAuthorized : .sourceLost
            throw LocationError(code, "\(path) can't be read.", underlying: error)
        }
    }
}
