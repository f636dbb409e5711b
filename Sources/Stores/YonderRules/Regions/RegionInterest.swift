package import YonderGeodesy
import YonderModel

/// The watched regions by map cell, so that a move costs only the regions nearby.
///
/// A region is registered in every map cell it touches, at the finest level where there are at most 16 of
/// them. A point lies in one cell of each level: the regions registered there are candidates, and each is
/// tested exactly.
///
/// ``RegionBoard`` has one, on one event loop: it registers and removes regions, and asks for each event of the index.
/// Nothing fails; a region that is registered twice has one entry. The result must be that of testing every region
/// (`RegionInterestTests`, with random events). 16 cells may be changed: fewer and larger cells are fewer entries and
/// more tests.
package struct RegionInterest: Sendable {
    /// A small integer that names a viewer.
    package typealias Watcher = UInt32

    /// A viewer whose region is affected by an event.
    package struct Match: Hashable, Sendable {
        /// The viewer.
        package let watcher: Watcher

        /// The effect of the event on the viewer's region.
        package let passage: Passage
    }

    private struct Entry {
        let extent: RegionExtent
        let watcher: Watcher
    }

    private var cells: [InterestCell: [Entry]] = [:]
    private var regions: [Watcher: Region] = [:]
    private var watchersAtLevel = [Int](repeating: 0, count: InterestCell.levels)

    /// Creates an empty table.
    package init() {}

    /// The number of viewers.
    package var count: Int { regions.count }

    /// Registers a viewer's region, replacing the previous one.
    ///
    /// - Complexity: The cells of both regions, plus the other regions registered in the cells left.
    package mutating func watch(_ region: Region, by watcher: Watcher) {
        remove(watcher)
        regions[watcher] = region
        let covering = InterestCell.covering(region)
        let entry = Entry(extent: RegionExtent(region), watcher: watcher)
        for cell in covering.cells { cells[cell, default: []].append(entry) }
        watchersAtLevel[covering.level] += 1
    }

    /// Removes a viewer's region.
    package mutating func remove(_ watcher: Watcher) {
        guard let region = regions.removeValue(forKey: watcher) else { return }
        let covering = InterestCell.covering(region)
        for cell in covering.cells { remove(watcher, from: cell) }
        watchersAtLevel[covering.level] -= 1
    }

    private mutating func remove(_ watcher: Watcher, from cell: InterestCell) {
        guard let slot = cells.index(forKey: cell) else { return }
        if let index = cells.values[slot].firstIndex(where: { $0.watcher == watcher }) {
            cells.values[slot].swapAt(index, cells.values[slot].count - 1)
            cells.values[slot].removeLast()
        }
        if cells.values[slot].isEmpty { cells.remove(at: slot) }
    }

    /// Appends each viewer whose region an event affects to `matches`, each once.
    ///
    /// - Complexity: One or two cells of each level in use, plus the regions registered there.
    package func find(_ event: IndexEvent, into matches: inout [Match]) {
        switch event {
        case .inserted(_, let coordinate): find(.entered, at: coordinate, into: &matches)
        case .changed(_, let coordinate): find(.changed, at: coordinate, into: &matches)
        case .removed(_, let coordinate): find(.left, at: coordinate, into: &matches)
        case .moved(_, let from, let to): find(from: from, to: to, into: &matches)
        }
    }

    private func find(_ passage: Passage, at coordinate: Coordinate.Rounded, into matches: inout [Match]) {
        for level in 0..<InterestCell.levels where watchersAtLevel[level] > 0 {
            guard let entries = cells[InterestCell(coordinate, level: level)] else { continue }
            for entry in entries where entry.extent.contains(coordinate) {
                matches.append(Match(watcher: entry.watcher, passage: passage))
            }
        }
    }

    private func find(from: Coordinate.Rounded, to: Coordinate.Rounded, into matches: inout [Match]) {
        for level in 0..<InterestCell.levels where watchersAtLevel[level] > 0 {
            let (left, entered) = (InterestCell(from, level: level), InterestCell(to, level: level))
            // A region that contains `from` is registered in the cell of `from`; one that contains only `to`,
            // in the cell of `to`.
            Self.find(in: cells[left], from: from, to: to, whatEntered: left == entered, into: &matches)
            guard left != entered, let entries = cells[entered] else { continue }
            for entry in entries where entry.extent.contains(to) && !entry.extent.contains(from) {
                matches.append(Match(watcher: entry.watcher, passage: .entered))
            }
        }
    }

    @inline(__always)
    private static func find(
        in entries: [Entry]?,
        from: Coordinate.Rounded,
        to: Coordinate.Rounded,
        whatEntered: Bool,
        into matches: inout [Match]
    ) {
        guard let entries else { return }
        for entry in entries {
            let isInside = entry.extent.contains(to)
            if entry.extent.contains(from) {
                matches.append(Match(watcher: entry.watcher, passage: isInside ? .moved : .left))
            } else if isInside, whatEntered {
                matches.append(Match(watcher: entry.watcher, passage: .entered))
            }
        }
    }
}
