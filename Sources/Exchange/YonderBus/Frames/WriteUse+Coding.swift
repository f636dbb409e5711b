import YonderModel
import YonderRules

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
    mutating func use() throws(BusFault) -> WriteUse {
        WriteUse(
            messages: try checked(Int(exactly: try integer())),
            bytes: try checked(Int(exactly: try integer())),
            objects: try checked(Int(exactly: try integer()))
        )
    }

    mutating func writer() throws(BusFault) -> Writer {
        try flag() ? .person(try id()) : .app(key: try text(), network: try text())
    }
}
