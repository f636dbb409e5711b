/// Finds the files that have the memory limits of a process.
///
/// A process is in a group of each hierarchy: in one of cgroup 2, or in one of cgroup 1 that has the controller
/// `memory`, or in both. The limits of all groups above it hold, too, as far as they are mounted: a container
/// mounts its own group alone. The formats are those of cgroups(7) and proc_pid_mountinfo(5).
///
/// `MemoryLimit` asks at the start of a server, with the texts of `/proc/self/cgroup` and `mountinfo`, for the paths
/// that it then reads. Plain functions on texts: a line that can't be read is skipped, and without any path the
/// machine's memory counts. ``depth`` may be changed (`MemoryLimitTests`).
enum ControlGroups {
    /// The most groups above one another that are looked at.
    private static let depth = 64

    /// The paths of the files, of which some may not be there.
    ///
    /// - Parameters:
    ///   - groups: The text of `/proc/self/cgroup`.
    ///   - mounts: The text of `/proc/self/mountinfo`.
    /// - Returns: The paths, those of the process's own groups before those above them.
    static func limitFiles(groups: String, mounts: String) -> [String] {
        let groups = groups.split(separator: "\n").compactMap(Group.init)
        return mounts.split(separator: "\n").compactMap(Mount.init).flatMap { mount in
            groups.first { $0.version == mount.version }.map { files(of: $0, in: mount) } ?? []
        }
    }

    private static func files(of group: Group, in mount: Mount) -> [String] {
        let names = mount.names(of: group)
        return (0...min(names.count, depth)).map { above in
            let folder = [mount.point] + names.dropLast(above)
            return (folder + [mount.version.limitFile]).joined(separator: "/")
        }
    }

    /// The two kinds of hierarchies.
    private enum Version {
        case first, second

        var limitFile: String { self == .first ? "memory.limit_in_bytes" : "memory.max" }
    }

    /// A line `4:cpu,memory:/docker/7d9f` or `0::/user.slice` of `/proc/self/cgroup`.
    private struct Group {
        let version: Version
        let path: Substring

        init?(_ line: Substring) {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return nil }
            let isFirst = fields[1].split(separator: ",").contains("memory")
            guard isFirst || (fields[0] == "0" && fields[1].isEmpty) else { return nil }
            version = isFirst ? .first : .second
            path = fields[2]
        }
    }

    /// A line `35 31 0:32 /docker/7d9f /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory` of
    /// `/proc/self/mountinfo`.
    private struct Mount {
        let version: Version
        let root: String
        let point: String

        init?(_ line: Substring) {
            let fields = line.split(separator: " ")
            // Before the hyphen is any number of optional fields.
            guard let hyphen = fields.indices.dropFirst(6).first(where: { fields[$0] == "-" }),
                fields.count > hyphen + 3
            else { return nil }
            switch fields[hyphen + 1] {
            case "cgroup2": version = .second
            case "cgroup" where fields[hyphen + 3].split(separator: ",").contains("memory"): version = .first
            default: return nil
            }
            root = Self.text(fields[3])
            point = Self.text(fields[4])
        }

        /// The names of the folders from the mount down to a group; none if the group lies elsewhere.
        func names(of group: Group) -> [String] {
            let names = group.path.split(separator: "/").map(String.init)
            let above = root.split(separator: "/").map(String.init)
            guard names.starts(with: above), !names.contains("..") else { return [] }
            return Array(names.dropFirst(above.count))
        }

        /// Spaces in paths are written as `\040`.
        private static func text(_ field: Substring) -> String {
            String(field.replacing("\\040", with: " "))
        }
    }
}
