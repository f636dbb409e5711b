#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The number of connections that the process's file descriptors allow.
///
/// `ServerProcess` asks once at the start, and makes the limits of connections of it; the log says when fewer are
/// possible than were wanted. Nothing fails. What is set aside for files, the database and the event loops must stay
/// enough: a server without descriptors accepts nobody (`AdmissionTests`).
package struct DescriptorBudget: Hashable, Sendable {
    /// The most descriptors that the process may have open.
    package let descriptors: Int

    /// The descriptors reserved for the store's files, the event loops, the gazetteer, the control socket,
    /// outgoing connections, and connections that are accepted but not yet admitted.
    package let reserve: Int

    /// The most connections, at least 1.
    package let connections: Int

    /// Divides up `descriptors` for a server with `threads` event loops and at most `wanted` connections.
    package init(descriptors: Int, threads: Int, wanted: Int) {
        self.descriptors = descriptors
        reserve = min(128 + 4 * threads, descriptors / 2)
        connections = max(1, min(wanted, descriptors - reserve))
    }
}

/// The process's limit of open file descriptors.
package enum DescriptorLimit {
    /// Raises the soft limit to the hard limit, as far as the system permits.
    ///
    /// - Returns: The limit from now on.
    package static func raise() -> Int {
        var limits = current
        let wanted = limits.rlim_max
        // Darwin's hard limit is infinite, but setrlimit accepts no more than OPEN_MAX.
        for candidate in [wanted, min(wanted, 10_240)] where candidate > limits.rlim_cur {
            limits.rlim_cur = candidate
            if setrlimit(resource, &limits) == 0 { break }
            limits = current
        }
        return Int(clamping: limits.rlim_cur)
    }

    private static var current: rlimit {
        var limits = rlimit()
        // The call fails only for an invalid resource or address.
        _ = getrlimit(resource, &limits)
        return limits
    }

    #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let resource = RLIMIT_NOFILE
    #endif
}
