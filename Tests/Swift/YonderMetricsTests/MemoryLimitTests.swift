import Testing

@testable import YonderMetrics

/// Each case has the lines of `/proc/self/cgroup` and `/proc/self/mountinfo` of such a system, without those of other file systems.
@Suite struct MemoryLimitTests {
    private static let machine = """
        MemTotal:        2097152 kB
        MemFree:          436692 kB

        """

    private static let limit = 96 << 20

    /// A host with cgroup 2 alone, as systemd makes it.
    private static let second = """
        24 30 0:22 / /proc rw,nosuid,nodev,noexec,relatime shared:12 - proc proc rw
        35 24 0:30 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate,memory_recursiveprot

        """

    /// A host with both, of which cgroup 1 has the memory.
    private static let hybrid = """
        31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
        32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
        35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
        41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw

        """

    private static func limit(
        groups: String,
        mounts: String,
        _ files: [String: String],
        meminfo: String? = machine,
        machine: Int? = nil
    ) -> MemoryLimit? {
        var texts = files.mapValues { $0 + "\n" }
        texts["/proc/self/cgroup"] = groups
        texts["/proc/self/mountinfo"] = mounts
        texts["/proc/meminfo"] = meminfo
        return MemoryLimit(machine: machine) { texts[$0] }
    }

    private static func expect(
        _ bytes: Int,
        _ source: MemoryLimit.Source,
        _ limit: MemoryLimit?,
        location: SourceLocation = #_sourceLocation
    ) {
        #expect(limit?.bytes == bytes, sourceLocation: location)
        #expect(limit?.source == source, sourceLocation: location)
    }

    @Test func `without a limit of a group it is the machine's memory`() {
        let unlimited = ["/sys/fs/cgroup/user.slice/memory.max": "max"]
        Self.expect(2 << 30, .machine, Self.limit(groups: "0::/user.slice\n", mounts: Self.second, unlimited))
        let first = ["/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712"]
        Self.expect(2 << 30, .machine, Self.limit(groups: "4:memory:/\n0::/\n", mounts: Self.hybrid, first))
        Self.expect(2 << 30, .machine, Self.limit(groups: "", mounts: "", [:]))
        let larger = ["/sys/fs/cgroup/user.slice/memory.max": "\(4 << 30)"]
        Self.expect(2 << 30, .machine, Self.limit(groups: "0::/user.slice\n", mounts: Self.second, larger))
    }

    @Test func `the smallest limit of the groups above one another holds`() {
        let service = "/sys/fs/cgroup/system.slice/yonder.service/memory.max"
        for (own, slice) in [
            ("\(Self.limit)", "max"), ("max", "\(Self.limit)"), ("\(1 << 30)", "\(Self.limit)"),
        ] {
            let files = [service: own, "/sys/fs/cgroup/system.slice/memory.max": slice]
            let found = Self.limit(groups: "0::/system.slice/yonder.service\n", mounts: Self.second, files)
            Self.expect(Self.limit, .container, found)
        }
    }

    @Test func `a container that sees its own group as the root has that group's limit`() {
        let mounts = """
            612 611 0:30 / /sys/fs/cgroup ro,nosuid,nodev,noexec,relatime - cgroup2 cgroup rw,nsdelegate,memory_recursiveprot

            """
        let files = ["/sys/fs/cgroup/memory.max": "\(Self.limit)"]
        Self.expect(Self.limit, .container, Self.limit(groups: "0::/\n", mounts: mounts, files))
        // Of a process that was moved out of the namespace's root.
        Self.expect(Self.limit, .container, Self.limit(groups: "0::/../other\n", mounts: mounts, files))
    }

    @Test func `a container of cgroup 1 has its group's limit where only that group is mounted`() {
        let path = "/docker/7d9f5a2c"
        let mounts = """
            1051 1048 0:32 \(path) /sys/fs/cgroup/memory ro,nosuid,nodev,noexec,relatime master:17 - cgroup cgroup rw,memory
            1052 1048 0:33 \(path) /sys/fs/cgroup/cpu,cpuacct ro,nosuid,nodev,noexec,relatime master:18 - cgroup cgroup rw,cpu,cpuacct

            """
        let files = ["/sys/fs/cgroup/memory/memory.limit_in_bytes": "\(Self.limit)"]
        let found = Self.limit(groups: "9:cpu,cpuacct:\(path)\n4:memory:\(path)\n", mounts: mounts, files)
        Self.expect(Self.limit, .container, found)
    }

    @Test func `with both kinds of groups the one that has the controller decides`() {
        let groups = "9:name=systemd:/\n4:memory:/service/7d9f\n2:cpuacct:/\n0::/\n"
        let files = [
            "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712",
            "/sys/fs/cgroup/memory/service/memory.limit_in_bytes": "9223372036854771712",
            "/sys/fs/cgroup/memory/service/7d9f/memory.limit_in_bytes": "\(Self.limit)",
        ]
        Self.expect(Self.limit, .container, Self.limit(groups: groups, mounts: Self.hybrid, files))
    }

    @Test func `a mount's folder may have a space`() {
        let mounts = "35 24 0:30 / /the\\040groups rw - cgroup2 cgroup2 rw\n"
        let files = ["/the groups/a b/memory.max": "\(Self.limit)"]
        Self.expect(Self.limit, .container, Self.limit(groups: "0::/a b\n", mounts: mounts, files))
    }

    @Test func `without meminfo the system is asked, and nothing is known where neither says`() {
        let found = Self.limit(groups: "", mounts: "", [:], meminfo: nil, machine: 1 << 30)
        Self.expect(1 << 30, .machine, found)
        #expect(Self.limit(groups: "", mounts: "", [:], meminfo: nil) == nil)
        #expect(Self.limit(groups: "", mounts: "", [:], meminfo: "MemTotal: much kB\n") == nil)
    }

    @Test(arguments: [
        "\0", "0", "0::", "::::", "0::/\u{0}\n4:memory", "- - - - - - -", "35 24 0:30 / /a rw -",
        "35 24 0:30 / /a rw - cgroup",
    ])
    func `files with other texts are ignored`(text: String) {
        Self.expect(2 << 30, .machine, Self.limit(groups: text, mounts: text, ["/memory.max": text]))
    }

    @Test func `this system says how much memory there is`() throws {
        let limit = try #require(MemoryLimit.current)
        #expect(limit.bytes > 16 << 20)
    }
}
