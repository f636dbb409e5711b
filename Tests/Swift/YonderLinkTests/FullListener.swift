import Glibc

/// A port of loopback whose queue is full: a connection to it is never made, as over a network that says nothing.
final class FullListener {
    let port: Int
    private let listener: Int32
    private let waiting: [Int32]

    /// Opens the port, and fills its queue.
    init() throws {
        let kind = Int32(SOCK_STREAM.rawValue)
        listener = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = bind(listener, address, length)
                _ = listen(listener, 0)
                _ = getsockname(listener, address, &length)
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        waiting = (0..<4).map { _ in
            let client = socket(AF_INET, kind | Int32(SOCK_NONBLOCK.rawValue), 0)
            withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(client, $0, length) }
            }
            return client
        }
    }

    deinit {
        for socket in waiting + [listener] { close(socket) }
    }
}
