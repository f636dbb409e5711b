import Testing
import YonderSQLite

@Suite struct MountTableTests {
    /// As a service of systemd with `ProtectSystem=strict` sees them; the disk at `/mnt/old` is read-only itself.
    private let table = MountTable(
        """
        610 571 254:0 / / ro,relatime shared:1 - ext4 /dev/vda rw,discard
        611 610 254:0 /var/lib/yonder /var/lib/yonder rw,relatime shared:1 - ext4 /dev/vda rw,discard
        612 610 254:1 / /mnt/old ro,relatime - ext4 /dev/vdb ro
        613 610 0:25 /systemd/inaccessible/dir /home ro,nosuid - tmpfs tmpfs rw,mode=755
        614 610 254:2 / /srv/my\\040disk rw,relatime - ext4 /dev/vdc rw
        no line of a mount
        615 611 254:0 /x /var/lib/yonder/shut ro,relatime master:2 propagate_from:1 - ext4 /dev/vda rw
        """
    )

    @Test(arguments: [
        ("/", true), ("/srv/yonder", true), ("/var/lib/yonder-backups", true), ("/home/yonder", true),
        ("/var/lib/yonder", false), ("/var/lib/yonder/data", false), ("/srv/my disk/yonder", false),
        ("/var/lib/yonder/shut/data", true),
    ])
    func `a folder below a mount that alone is read-only is shut off`(path: String, isShutOff: Bool) {
        #expect(table.isShutOff(path) == isShutOff)
    }

    @Test func `a disk that is read-only itself is no folder that is shut off`() {
        #expect(!table.isShutOff("/mnt/old/data"))
        #expect(!MountTable("").isShutOff("/srv"))
    }

    @Test func `of two mounts at one place the later counts`() {
        let text = "1 0 8:0 / /srv ro - ext4 /dev/sda rw\n2 0 8:1 / /srv rw - ext4 /dev/sdb rw"
        #expect(!MountTable(text).isShutOff("/srv/yonder"))
    }
}
