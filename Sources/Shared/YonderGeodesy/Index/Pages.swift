// The index accesses memory by address in `Pages`, `Records`, `PointIndex+Load`, `PointTree+Region` and
// `RegionSinks`; the rest of it uses the values that these return. The invariants:
//
// - A record's number is below `capacity` whenever its address is requested. The index assigns numbers, and
//   adds pages before it assigns one that has none.
// - A page that is marked as owned belongs to this value alone. Only owned pages are written to.
// - `table[i]` is the address of `pages[i]`, so it is valid as long as this value exists.

/// Memory for equal records in pages of 16 KiB, shared between copies until one of them writes to a page.
///
/// A copy costs a table of the pages' addresses. After it, the first write to each page, on either side,
/// costs a copy of that page.
///
/// ``PointIndex`` has four: nodes, groups, links and slots. Nothing is checked when a record is read, so a wrong number reads
/// other memory; the sanitizers run `PointIndexTests` and `PointSnapshotTests`. The size of a page may be another power of
/// two, with the numbers in the documentation of snapshots. That a page which a snapshot shares is never written to must stay
/// (invariant 5 of ``PointIndex``).
struct Pages<Record: BitwiseCopyable>: ~Copyable {
    private var table: UnsafeMutablePointer<UnsafeMutableRawPointer>
    private var isOwned: UnsafeMutablePointer<Bool>
    private var tableCapacity: Int
    private var pages: [Page] = []

    init() {
        self.init(tableCapacity: 4)
    }

    private init(tableCapacity: Int) {
        self.tableCapacity = tableCapacity
        table = .allocate(capacity: tableCapacity)
        isOwned = .allocate(capacity: tableCapacity)
    }

    deinit {
        table.deallocate()
        isOwned.deallocate()
    }

    /// The number of records for which there is memory.
    var capacity: Int { pages.count << PageTable<Record>.shift }

    /// The bytes that this value keeps allocated, shared ones included.
    var byteCount: Int { pages.count * Page.byteCount + tableCapacity * (MemoryLayout<Int>.size + 1) }

    /// The addresses, to read from; valid until the next change of this value.
    var view: PageTable<Record> {
        @inline(__always) get { PageTable(table: table) }
    }

    /// A record's address, to read from.
    @inline(__always)
    func address(of record: UInt32) -> UnsafeMutableRawPointer {
        view.address(of: record)
    }

    /// A record's address, to write to.
    @inline(__always)
    mutating func writable(_ record: UInt32) -> UnsafeMutableRawPointer {
        let page = Int(record >> PageTable<Record>.shift)
        if !isOwned[page] { own(page) }
        return view.address(of: record)
    }

    /// Adds pages of zeros until there is room for that many records.
    mutating func reserve(_ records: Int) {
        while capacity < records { append(Page()) }
    }

    /// Returns another value with the same records.
    ///
    /// Neither value owns a page afterward.
    mutating func fork() -> Pages {
        isOwned.update(repeating: false, count: pages.count)
        var copy = Pages(tableCapacity: tableCapacity)
        copy.pages = pages
        copy.table.update(from: table, count: pages.count)
        copy.isOwned.update(repeating: false, count: pages.count)
        return copy
    }

    private mutating func append(_ page: Page) {
        if pages.count == tableCapacity { growTable() }
        table[pages.count] = page.address
        isOwned[pages.count] = true
        pages.append(page)
    }

    private mutating func growTable() {
        let (oldTable, oldIsOwned) = (table, isOwned)
        tableCapacity *= 2
        table = .allocate(capacity: tableCapacity)
        isOwned = .allocate(capacity: tableCapacity)
        table.update(from: oldTable, count: pages.count)
        isOwned.update(from: oldIsOwned, count: pages.count)
        oldTable.deallocate()
        oldIsOwned.deallocate()
    }

    @inline(never)
    private mutating func own(_ page: Int) {
        let copy = Page(copying: pages[page])
        pages[page] = copy
        table[page] = copy.address
        isOwned[page] = true
    }
}

/// The addresses of the pages, for reading records; valid until the ``Pages`` it comes from changes.
struct PageTable<Record: BitwiseCopyable> {
    fileprivate let table: UnsafeMutablePointer<UnsafeMutableRawPointer>

    fileprivate static var perPage: Int {
        @inline(__always) get { Page.byteCount / MemoryLayout<Record>.stride }
    }

    fileprivate static var shift: UInt32 {
        @inline(__always) get { UInt32(truncatingIfNeeded: perPage.trailingZeroBitCount) }
    }

    /// A record's address.
    @inline(__always)
    func address(of record: UInt32) -> UnsafeMutableRawPointer {
        let index = Int(record & UInt32(truncatingIfNeeded: Self.perPage &- 1))
        return table[Int(record >> Self.shift)] + index &* MemoryLayout<Record>.stride
    }
}

/// A piece of memory that several values may share.
private final class Page {
    static let byteCount = 16_384

    let address = UnsafeMutableRawPointer.allocate(byteCount: Page.byteCount, alignment: 64)

    /// A page of zeros.
    init() {
        address.initializeMemory(as: UInt8.self, repeating: 0, count: Page.byteCount)
    }

    init(copying page: Page) {
        address.copyMemory(from: page.address, byteCount: Page.byteCount)
    }

    deinit {
        address.deallocate()
    }
}
