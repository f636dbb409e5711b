import Foundation

/// How many connections fit into the file descriptors that the process may open.
package struct DescriptorBudget: Hashable, Sendable {
    /// How many descriptors the process may have open.
    package let descriptors: Int

    /// How many of them are kept for the store's files, the event loops, the gazetteer, the command line's socket, what
    /// goes out, and connections that are accepted and not yet decided about.
    package let reserve: Int

    /// How many connections there may be, at least 1.
    package let connections: Int

    /// Divides `descriptors` up, for a server with `threads` event loops that is to hold at most `wanted` connections.
    package init(descriptors: Int, threads: Int, wanted: Int) {
        self.descriptors = descriptors
        reserve = min(128 + 4 * threads, descriptors / 2)
        connections = max(1, min(wanted, descriptors - reserve))
    }
}

/// The process's limit of open file descriptors.
package enum DescriptorLimit {
    /// Raises the soft limit to the hard one, as far as the system lets.
    ///
    /// - Returns: The limit from now on.
    package static func raise() -> Int {
        var limits = current
        let wanted = limits.rlim_max
        // Darwin names no number as the hard limit, and takes no more than OPEN_MAX.
        for candidate in [wanted, min(wanted, 10_240)] where candidate > limits.rlim_cur {
            limits.rlim_cur = candidate
            if setrlimit(resource, &limits) == 0 { break }
            limits = current
        }
        return Int(clamping: limits.rlim_cur)
    }

    private static var current: rlimit {
        var limits = rlimit()
        // It fails for a wrong resource or address only.
        _ = getrlimit(resource, &limits)
        return limits
    }

    #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let resource = RLIMIT_NOFILE
    #endif
}
