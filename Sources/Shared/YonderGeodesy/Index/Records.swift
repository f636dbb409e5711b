// The layouts of the records in ``Pages``: every field is a 32-bit word, accessed by its offset, because
// several words are also read together as a vector. Callers must ensure that quadrants are below 4 and lanes
// below 8.

/// The content of one quadrant of a node: nothing, another node, or a leaf, identified by its first group.
///
/// All files of `PointIndex` read and write these records; nothing checks a number here, and a wrong one reads other memory.
/// The layout isn't stored in a file or sent, so it may change with every use of an offset in this folder. The sizes must
/// stay powers of two, as `Pages` finds a record by shifting (`PointIndexTests`, the sanitizers).
struct Child {
    let raw: UInt32

    static let none = Child(raw: 0)

    private static let nodeBit: UInt32 = 1 << 31

    @inline(__always)
    static func node(_ number: UInt32) -> Child { Child(raw: number | nodeBit) }

    @inline(__always)
    static func leaf(_ group: UInt32) -> Child { Child(raw: group) }

    var isNone: Bool { @inline(__always) get { raw == 0 } }
    var isNode: Bool { @inline(__always) get { raw >= Self.nodeBit } }
    var number: UInt32 { @inline(__always) get { raw & ~Self.nodeBit } }
}

/// The position of a node or a leaf in the tree: the quadrant, the parent node, and the number of splits
/// below the root.
struct Home {
    let raw: UInt32

    static let mostNodes: UInt32 = 1 << 25

    init(raw: UInt32) {
        self.raw = raw
    }

    @inline(__always)
    init(node: UInt32, quadrant: Int, depth: Int) {
        raw = node << 7 | UInt32(truncatingIfNeeded: quadrant) << 5 | UInt32(truncatingIfNeeded: depth)
    }

    var node: UInt32 { @inline(__always) get { raw >> 7 } }
    var quadrant: Int { @inline(__always) get { Int(raw >> 5 & 3) } }
    var depth: Int { @inline(__always) get { Int(raw & 31) } }
}

/// A node: for each quadrant a child, its number of points, and their best rank.
///
/// ```
/// word 0      4      8      12      13
///      child  count  best   home    unused, to fill a cache line
/// ```
struct Node {
    struct Record: BitwiseCopyable {
        var words: SIMD16<UInt32> = .zero
    }

    let address: UnsafeMutableRawPointer

    @inline(__always)
    private func word(_ index: Int) -> UInt32 {
        address.load(fromByteOffset: index &* 4, as: UInt32.self)
    }

    @inline(__always)
    private func setWord(_ index: Int, _ value: UInt32) {
        address.storeBytes(of: value, toByteOffset: index &* 4, as: UInt32.self)
    }

    @inline(__always)
    func child(_ quadrant: Int) -> Child { Child(raw: word(quadrant)) }

    @inline(__always)
    func setChild(_ quadrant: Int, _ child: Child) { setWord(quadrant, child.raw) }

    @inline(__always)
    func count(_ quadrant: Int) -> Int { Int(word(4 &+ quadrant)) }

    @inline(__always)
    func setCount(_ quadrant: Int, _ count: Int) { setWord(4 &+ quadrant, UInt32(truncatingIfNeeded: count)) }

    /// The best rank in a quadrant, which is the lowest; the greatest number if the quadrant is empty.
    @inline(__always)
    func best(_ quadrant: Int) -> UInt32 { word(8 &+ quadrant) }

    @inline(__always)
    func setBest(_ quadrant: Int, _ rank: UInt32) { setWord(8 &+ quadrant, rank) }

    /// The node's position in the tree; the root, at depth 0, is its own parent.
    ///
    /// In a free node: the next free one.
    var home: Home {
        @inline(__always) get { Home(raw: word(12)) }
        nonmutating set { setWord(12, newValue.raw) }
    }

    /// The number of points below.
    var total: Int {
        @inline(__always) get { count(0) &+ count(1) &+ count(2) &+ count(3) }
    }

    /// The best rank below.
    var bestOfAll: UInt32 {
        @inline(__always) get { min(min(best(0), best(1)), min(best(2), best(3))) }
    }

    var hasOnlyLeaves: Bool {
        !child(0).isNode && !child(1).isNode && !child(2).isNode && !child(3).isNode
    }

    /// Makes this an empty node.
    func clear(home: Home) {
        for quadrant in 0..<4 {
            setChild(quadrant, .none)
            setCount(quadrant, 0)
            setBest(quadrant, .max)
        }
        self.home = home
    }
}

/// Eight points field by field, in two cache lines, of which a move within a leaf touches only the first.
///
/// ```
/// word 0          8           16   24
///      latitudes  longitudes  ids  ranks
/// ```
///
/// A leaf is a chain of groups. All but the first are full; the first has the remaining points.
struct Group {
    struct Record: BitwiseCopyable {
        var positions: SIMD16<Int32> = .zero
        var names: SIMD16<UInt32> = .zero
    }

    static let size = 8

    let address: UnsafeMutableRawPointer

    var latitudes: SIMD8<Int32> { @inline(__always) get { address.load(as: SIMD8<Int32>.self) } }

    var longitudes: SIMD8<Int32> {
        @inline(__always) get { address.load(fromByteOffset: 32, as: SIMD8<Int32>.self) }
    }

    var ids: SIMD8<UInt32> {
        @inline(__always) get { address.load(fromByteOffset: 64, as: SIMD8<UInt32>.self) }
    }

    @inline(__always)
    func latitude(_ lane: Int) -> Int32 { address.load(fromByteOffset: lane &* 4, as: Int32.self) }

    @inline(__always)
    func longitude(_ lane: Int) -> Int32 { address.load(fromByteOffset: 32 &+ lane &* 4, as: Int32.self) }

    @inline(__always)
    func id(_ lane: Int) -> UInt32 { address.load(fromByteOffset: 64 &+ lane &* 4, as: UInt32.self) }

    @inline(__always)
    func rank(_ lane: Int) -> UInt32 { address.load(fromByteOffset: 96 &+ lane &* 4, as: UInt32.self) }

    @inline(__always)
    func setPosition(_ lane: Int, _ latitude: Int32, _ longitude: Int32) {
        address.storeBytes(of: latitude, toByteOffset: lane &* 4, as: Int32.self)
        address.storeBytes(of: longitude, toByteOffset: 32 &+ lane &* 4, as: Int32.self)
    }

    @inline(__always)
    func point(_ lane: Int) -> Point {
        Point(latitude: latitude(lane), longitude: longitude(lane), id: id(lane), rank: rank(lane))
    }

    @inline(__always)
    func setPoint(_ lane: Int, _ point: Point) {
        setPosition(lane, point.latitude, point.longitude)
        address.storeBytes(of: point.id, toByteOffset: 64 &+ lane &* 4, as: UInt32.self)
        address.storeBytes(of: point.rank, toByteOffset: 96 &+ lane &* 4, as: UInt32.self)
    }
}

/// The part of a group's data that is stored separately, because most moves read it without the group's
/// second cache line: the next group of its leaf, or 0, and the leaf's home.
struct Link {
    struct Record: BitwiseCopyable {
        var words: SIMD2<UInt32> = .zero
    }

    let address: UnsafeMutableRawPointer

    var next: UInt32 {
        @inline(__always) get { address.load(as: UInt32.self) }
        nonmutating set { address.storeBytes(of: newValue, as: UInt32.self) }
    }

    var home: Home {
        @inline(__always) get { Home(raw: address.load(fromByteOffset: 4, as: UInt32.self)) }
        nonmutating set { address.storeBytes(of: newValue.raw, toByteOffset: 4, as: UInt32.self) }
    }
}

/// A point that is being inserted into a leaf.
struct Point: BitwiseCopyable {
    let latitude: Int32
    let longitude: Int32
    let id: UInt32
    let rank: UInt32
}

/// The position of a point: a lane of a group.
///
/// Group 0 is never used, so that 0 means no position.
struct Slot {
    let raw: UInt32

    static let nowhere = Slot(raw: 0)

    init(raw: UInt32) {
        self.raw = raw
    }

    @inline(__always)
    init(group: UInt32, lane: Int) {
        raw = group << 3 | UInt32(truncatingIfNeeded: lane)
    }

    var isNowhere: Bool { @inline(__always) get { raw == 0 } }
    var group: UInt32 { @inline(__always) get { raw >> 3 } }
    var lane: Int { @inline(__always) get { Int(raw & 7) } }
}
