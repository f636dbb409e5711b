import Logging
import YonderLink
import YonderModel
import YonderWire

/// Keeps a client connected: opens a connection, reads it until it ends, waits, and opens the next one.
///
/// ``ConnectionState`` decides; this carries out what it decides.
///
/// `SharingClient` runs it once in each `run()`, on its actor. Whatever ends a connection, also a frame that can't be read,
/// leads to another one after a wait with jitter; only a refusal with one of the server's codes ends the loop and is
/// returned. Waits are in `Backoff` and may change. That `closed` is sent once for each connection that was greeted must
/// stay, because the client's values count connections (`ConnectionLoopTests`, `EndingTests`).
struct ConnectionLoop: Sendable {
    enum Event: Sendable {
        /// A frame arrived over this connection; the first one is the server's greeting.
        case received(ServerFrame, any StreamLink)
        /// A connection that was open ended.
        case closed
    }

    let connect: LinkFactory
    let clock: any Clock<Duration>
    let backoff: Backoff
    let logger: Logger

    /// Runs until the task is canceled or the server refuses the client.
    ///
    /// - Parameters:
    ///   - isolation: The caller's actor, on which `handle` is called.
    ///   - handle: Handles each event.
    /// - Returns: The error with which the server refuses the client, or `nil`.
    func run(
        isolation: isolated (any Actor)? = #isolation,
        _ handle: (Event) -> Void
    ) async -> SharingError? {
        var state = ConnectionState(wait: backoff.wait)
        var action = state.begin()
        while !Task.isCancelled {
            switch action {
            case .connect:
                let (closure, lasted) = await connection(&state, handle)
                logger.info("Not connected.", metadata: ["reason": "\(closure)"])
                var random = SystemRandomNumberGenerator()
                action = state.closed(closure, lasted: lasted, using: &random)
            case .wait(let duration):
                try? await clock.sleep(for: duration)
                action = state.begin()
            case .end(let error): return error
            }
        }
        return nil
    }

    /// Runs one connection from opening to end.
    private func connection(
        isolation: isolated (any Actor)? = #isolation,
        _ state: inout ConnectionState,
        _ handle: (Event) -> Void
    ) async -> (LinkClosure, lasted: Duration) {
        let link: any StreamLink
        do throws(LinkClosure) {
            link = try await connect()
        } catch {
            return (error, .zero)
        }
        state.opened()
        let timer = Stopwatch(clock)
        let closure = await read(link, &state, handle)
        link.close()
        handle(.closed)
        return (closure, timer.elapsed())
    }

    private func read(
        isolation: isolated (any Actor)? = #isolation,
        _ link: any StreamLink,
        _ state: inout ConnectionState,
        _ handle: (Event) -> Void
    ) async -> LinkClosure {
        do throws(LinkClosure) {
            while !Task.isCancelled {
                for bytes in try await link.next() {
                    guard let frame = try parse(bytes) else { continue }
                    if case .hello(let hello) = frame {
                        if hello.user == nil { try await link.greetedAsNobody() }
                        state.greeted()
                    }
                    handle(.received(frame, link))
                }
            }
            return .lost("Stopped.")
        } catch {
            return error
        }
    }

    /// Parses a frame; `nil` for a kind of frame that this client doesn't know.
    private func parse(_ bytes: [UInt8]) throws(LinkClosure) -> ServerFrame? {
        do throws(SharingError) {
            return try bytes.withUnsafeBufferPointer { text throws(SharingError) in
                try ServerFrame.parse(UnsafeRawBufferPointer(text))
            }
        } catch {
            throw .lost("The server sent a frame that can't be read: \(error.message)")
        }
    }
}
