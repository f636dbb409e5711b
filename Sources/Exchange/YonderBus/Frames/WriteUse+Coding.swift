import YonderModel
import YonderRules

// The bytes of what a writer has used, for `BusFrame+Coding.swift`. What can't be throws ``BusFault``; the use is then
// not counted on that node. A changed form raises `BusFrame.version` (`BusFrameTests`).

extension BusWriter {
    mutating func written(_ use: WriteUse, by writer: Writer) {
        for count in [use.messages, use.bytes, use.objects] { integer(Int64(count)) }
        switch writer {
        case .person(let user):
            flag(true)
            id(user)
        case .app(let key, let network):
            flag(false)
            text(key)
            text(network)
        }
    }
}

extension BusReader {
    mutating func writeUse() throws(BusFault) -> WriteUse {
        WriteUse(messages: try use(), bytes: try use(), objects: try use())
    }

    mutating func writer() throws(BusFault) -> Writer {
        try flag() ? .person(try id()) : .app(key: try text(), network: try text())
    }
}
