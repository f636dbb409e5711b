#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The unused bytes of a database page, by <https://www.sqlite.org/fileformat2.html#b_tree_pages>.
///
/// SQLite leaves copies of cells there when it splits and merges pages, even with `secure_delete`:
///
/// ```
/// header 8 or 12 | pointers, 2 bytes a cell | unallocated … | cells and freeblocks
///   0: type (2, 5, 10, 13)                    overwritten       freeblocks: 2 next, 2 size, rest overwritten
///   1: first freeblock   3: number of cells   5: where the cells begin
/// ```
///
/// SQLite ignores these bytes, so that a page is valid at every moment, also if writing it was interrupted.
///
/// A page doesn't carry its kind. An overflow page and a page of the list of free pages begin with the number of
/// another page, and the first byte of a number from 0x02000000 on (128 GiB in pages of 4 KiB) may be that of a b-tree
/// page. Such a number is at most that of the database's last page, so a greater one proves a page of a b-tree.
///
/// `PageWrites` asks for each page that a checkpoint writes, `PageScrubber` for each page of a file of before. It is a
/// plain value, and nothing throws: a page that doesn't add up, or whose kind isn't certain, stays as it is and is
/// *unsure*. Not one byte that SQLite reads may be changed: this must stay (decision 15, `PageScrubberTests` and
/// `PageWritesTests`, which compare all rows of random databases).
struct PageLayout {
    /// The result of overwriting the unused bytes of one page.
    enum Outcome: Equatable {
        /// The page has no leftovers.
        case clean
        /// The page had leftovers.
        case scrubbed
        /// The page may be of another kind, or isn't well-formed, and stays as it is.
        case unsure
    }

    /// A number of pages that no database with this page, or with any page of its log, exceeds.
    var pageLimit: Int64

    /// Whether the database has pages that map pointers (`auto_vacuum`), which may begin like those of a b-tree.
    var hasPointerMap: Bool

    /// Overwrites the unused bytes of page `number`, if it is a well-formed page of a b-tree.
    func scrub(_ page: UnsafeMutableRawBufferPointer, number: Int64) -> Outcome {
        guard let tree = TreePage(page, header: number == 1 ? 100 : 0) else { return .clean }
        guard !isPointerMap(number, size: page.count) else { return .clean }
        guard number == 1 || first(of: page) > pageLimit else { return .unsure }
        guard tree.isWellFormed, let blocks = tree.freeblocks else { return .unsure }
        var found = tree.overwrite(tree.gap)
        for block in blocks { found = tree.overwrite(block) || found }
        return found ? .scrubbed : .clean
    }

    /// Page 2 maps the pointers of the pages behind it, and so on: 5 bytes a page.
    private func isPointerMap(_ number: Int64, size: Int) -> Bool {
        guard hasPointerMap, number > 1 else { return false }
        let covered = Int64(size / 5) + 1
        // Behind the page that SQLite locks (at 1 GiB), the map is a page later where it would be that page.
        let place = (number - 2) % covered
        return place == 0 || (place == 1 && number - 2 == (1 << 30) / Int64(size))
    }

    private func first(of page: UnsafeMutableRawBufferPointer) -> Int64 {
        Int64(UInt32(bigEndian: page.loadUnaligned(as: UInt32.self)))
    }
}

/// A page that begins like one of a b-tree.
private struct TreePage {
    let page: UnsafeMutableRawBufferPointer
    let header: Int
    let pointers: Range<Int>
    /// Where the cells begin.
    let cells: Int

    init?(_ page: UnsafeMutableRawBufferPointer, header: Int) {
        let length: Int
        switch page[header] {
        case 2, 5: length = 12
        case 10, 13: length = 8
        default: return nil
        }
        self.page = page
        self.header = header
        let start = header + length
        pointers = start..<start + 2 * Self.number(page, header + 3)
        let begin = Self.number(page, header + 5)
        cells = begin == 0 ? 65_536 : begin
    }

    /// The unallocated bytes between the pointers and the cells.
    var gap: Range<Int> { pointers.upperBound..<cells }

    /// Whether every cell begins among the cells.
    var isWellFormed: Bool {
        guard pointers.upperBound <= cells, cells <= page.count else { return false }
        return stride(from: pointers.lowerBound, to: pointers.upperBound, by: 2).allSatisfy { place in
            (cells..<page.count).contains(Self.number(page, place))
        }
    }

    /// The unused bytes of all freeblocks; `nil` if their list isn't well-formed.
    var freeblocks: [Range<Int>]? {
        var found: [Range<Int>] = []
        var block = Self.number(page, header + 1)
        while block != 0 {
            guard block >= cells, block + 4 <= page.count else { return nil }
            let (next, size) = (Self.number(page, block), Self.number(page, block + 2))
            guard size >= 4, block + size <= page.count, next == 0 || next >= block + size else { return nil }
            found.append(block + 4..<block + size)
            block = next
        }
        return found
    }

    /// Overwrites a range with zeros.
    ///
    /// - Returns: Whether any byte of it wasn't zero.
    func overwrite(_ range: Range<Int>) -> Bool {
        guard let start = page.baseAddress, !range.isEmpty else { return false }
        let bytes = start + range.lowerBound
        // Equal to itself one byte on, and zero at its start: zero throughout.
        let isZero = page[range.lowerBound] == 0 && memcmp(bytes, bytes + 1, range.count - 1) == 0
        if !isZero { memset(bytes, 0, range.count) }
        return !isZero
    }

    private static func number(_ page: UnsafeMutableRawBufferPointer, _ offset: Int) -> Int {
        Int(page[offset]) << 8 | Int(page[offset + 1])
    }
}
