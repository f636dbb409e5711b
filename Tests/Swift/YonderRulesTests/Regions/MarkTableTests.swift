import TestSupport
import Testing
import YonderRules

@testable import struct YonderRules.MarkTable

@Suite struct MarkTableTests {
    @Test func `a table of marks does what a dictionary does`() {
        for seed in UInt64(0)..<20 {
            var random = SeededGenerator(seed: seed)
            var table = MarkTable()
            var model: [UInt32: MarkTable.Mark] = [:]
            for _ in 0..<2_000 {
                // Numbers that share their place in the table, too.
                let id = UInt32.random(in: 0..<80, using: &random) << (seed % 2 == 0 ? 0 : 20)
                let mark = MarkTable.Mark(rawValue: UInt8.random(in: 0..<32, using: &random))
                switch (table.position(of: id), Bool.random(using: &random)) {
                case (nil, _):
                    table.insert(id, mark)
                    model[id] = mark
                case (let position?, true):
                    table[position] = mark
                    model[id] = mark
                case (let position?, false):
                    table.remove(at: position)
                    model[id] = nil
                }
            }
            #expect(table.count == model.count)
            #expect(Dictionary(uniqueKeysWithValues: table.all.map { ($0.id, $0.mark) }) == model)
            for id in model.keys { #expect(table.position(of: id).map { table[$0] } == model[id]) }
        }
    }
}
