import YonderGeodesy

/// Points, and what is asked of them.
struct Workload {
    struct Box {
        let region: Region
        let width: Double
    }

    struct Near {
        let center: Coordinate
        let reach: Distance
    }

    struct Move {
        let id: PointIndex.ID
        let coordinate: Coordinate.Rounded
    }

    var points: [Coordinate.Rounded]
    var boxes: [Box]
    var nears: [Near]
    var moves: [Move]
}

/// What a box holds: the exact total, and FNV-1a over the sorted names where it is known.
struct BoxAnswer {
    let total: Int
    let checksum: UInt64?
}

/// FNV-1a over the little-endian bytes of numbers.
struct Checksum {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ number: UInt32) {
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
            value = (value ^ UInt64(number >> shift & 255)) &* 0x100_0000_01b3
        }
    }
}
