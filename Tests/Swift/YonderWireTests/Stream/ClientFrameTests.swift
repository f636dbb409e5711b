import Testing
import YonderGeodesy
import YonderModel
import YonderJSON

@testable import YonderWire

@Suite struct ClientFrameTests {
    @Test(arguments: StreamSamples.clientFrames)
    func `a client's frame is read back the same`(_ frame: ClientFrame) throws {
        #expect(try ClientFrame.parse(text: String(decoding: frame.encoded(), as: UTF8.self)) == frame)
    }

    @Test func `fields come in any order, with white space and escapes`() throws {
        let text = #"""
             { "data" : { "a" : [1, 2] }, "content":"h\u00e9\n", "tag":"Te\u0078t", "keep" : false ,
             "chat":"7\u0037", "key":"k\"1", "expires": 9, "ty\u0070e":"send" }
            """#
        let data = MessageData(checked: [UInt8](#"{ "a" : [1, 2] }"#.utf8))
        let draft = MessageDraft(
            tag: .text,
            content: "hé\n",
            data: data,
            expires: Timestamp(milliseconds: 9)
        )
        #expect(
            try ClientFrame.parse(text: text)
                == .send(SendFrame(key: "k\"1", chat: StreamSamples.chatID, draft: draft, keep: false))
        )
    }

    @Test(arguments: [
        (#"[]"#, "invalidFrame"),
        (#""send""#, "invalidFrame"),
        (#"{}"#, "invalidFrame"),
        (#"{"type":"fly"}"#, "invalidFrame"),
        (#"{"type":7}"#, "invalidFrame"),
        (#""#, "invalidJSON"),
        (#"{"type":"ping""#, "invalidJSON"),
        (#"{"type":"ping"} x"#, "invalidJSON"),
        (#"{"type":"ping","type":"ping"}"#, "invalidJSON"),
        (#"{"type":"ping","at":1}"#, "unknownField"),
        (#"{"type":"ping","nonsense":1}"#, "unknownField"),
        (#"{"type":"send","key":"k","chat":"77"}"#, "missingField"),
        (#"{"type":"send","key":"k","tag":"Text"}"#, "missingField"),
        (#"{"type":"send","chat":"77","tag":"Text"}"#, "missingField"),
        (#"{"type":"send","key":"","chat":"77","tag":"Text"}"#, "invalidField"),
        (#"{"type":"send","key":"k","chat":77,"tag":"Text"}"#, "invalidField"),
        (#"{"type":"send","key":"k","chat":"077","tag":"Text"}"#, "invalidField"),
        (#"{"type":"send","key":"k","chat":"77","tag":"two words"}"#, "invalidField"),
        (#"{"type":"send","key":"k","chat":"77","tag":"Text","data":[]}"#, "invalidField"),
        (#"{"type":"send","key":"k","chat":"77","tag":"Text","data":{"a":1,"a":2}}"#, "invalidJSON"),
        (#"{"type":"send","key":"k","chat":"77","tag":"Text","keep":null}"#, "invalidField"),
        (#"{"type":"send","key":"k","chat":"77","tag":"Text","expires":1.5}"#, "invalidField"),
        (#"{"type":"send","key":"k","chat":"77","tag":"Text","content":"\ud800"}"#, "invalidJSON"),
        (#"{"type":"send","key":"k","chat":"77","tag":"Text","data":{"a":["\udfff"]}}"#, "invalidJSON"),
        (#"{"type":"subject","key":"k","chat":"77","subject":"\ud83dx"}"#, "invalidJSON"),
        (#"{"type":"start","key":"\ud800","invitees":["1"]}"#, "invalidJSON"),
        (#"{"type":"send","key":"k","chat":"77","tag":"Text","expires":253402300800000}"#, "invalidField"),
        (#"{"type":"send","key":"k","chat":"77","tag":"Text","expires":-1}"#, "invalidField"),
        (#"{"type":"pin","at":"1,2","until":9223372036854775807}"#, "invalidField"),
        (#"{"type":"share","key":"k","chat":"77","until":-1}"#, "invalidField"),
        (#"{"type":"stopShares","key":"k","before":253402300800000}"#, "invalidField"),
        (#"{"type":"heartbeat","chat":"77","fix":{"time":-1}}"#, "invalidField"),
        (#"{"type":"recall","key":"k","chat":"77","number":0}"#, "invalidField"),
        (#"{"type":"add","key":"k","chat":"77"}"#, "missingField"),
        (#"{"type":"add","key":"k","chat":"77","users":["x"]}"#, "invalidField"),
        (#"{"type":"add","key":"k","chat":"77","users":[1]}"#, "invalidField"),
        (#"{"type":"start","key":"k"}"#, "missingField"),
        (#"{"type":"pin","at":"91,0"}"#, "invalidField"),
        (#"{"type":"pin"}"#, "missingField"),
        (#"{"type":"subscribe","id":1,"query":"weather","city":"Oslo"}"#, "unknownQuery"),
        (#"{"type":"subscribe","id":1}"#, "missingField"),
        (#"{"type":"subscribe","id":0,"query":"chats"}"#, "invalidField"),
        (#"{"type":"subscribe","id":9007199254740992,"query":"chats"}"#, "invalidField"),
        (#"{"type":"subscribe","query":"chats"}"#, "missingField"),
        (#"{"type":"subscribe","id":1,"query":"chats","chat":"77"}"#, "unknownField"),
        (#"{"type":"subscribe","id":1,"query":"messages"}"#, "missingField"),
        (#"{"type":"subscribe","id":1,"query":"messages","chat":"77","limit":10001}"#, "invalidField"),
        (#"{"type":"subscribe","id":1,"query":"messages","chat":"77","since":-1}"#, "invalidField"),
        (#"{"type":"subscribe","id":1,"query":"objects"}"#, "missingField"),
        (#"{"type":"subscribe","id":1,"query":"objects","entity":"cafe"}"#, "missingField"),
        (
            #"{"type":"subscribe","id":1,"query":"objects","entity":"ca fe","region":\#(berlin)}"#,
            "invalidField"
        ),
        (
            #"{"type":"subscribe","id":1,"query":"objects","entity":"cafe","region":\#(berlin),"field":7}"#,
            "invalidField"
        ),
        (
            #"{"type":"subscribe","id":1,"query":"objects","entity":"cafe","region":\#(berlin),"limit":1001}"#,
            "invalidField"
        ),
        (
            #"{"type":"subscribe","id":1,"query":"objects","entity":"cafe","region":\#(berlin),"limit":-1}"#,
            "invalidField"
        ),
        (
            #"{"type":"subscribe","id":1,"query":"people","entity":"cafe","region":\#(berlin)}"#,
            "unknownField"
        ),
        (#"{"type":"subscribe","id":1,"query":"people","region":[52,13,53,14]}"#, "invalidField"),
        (#"{"type":"move","id":1,"step":1}"#, "missingField"),
        (#"{"type":"move","id":1,"region":\#(berlin)}"#, "missingField"),
        (#"{"type":"move","id":1,"step":0,"region":\#(berlin)}"#, "invalidField"),
        (#"{"type":"move","id":1,"step":1,"region":\#(berlin),"limit":3}"#, "unknownField"),
    ])
    func `a wrong frame is refused with its code`(_ text: String, _ code: String) {
        let refusal = #expect(throws: FrameRefusal.self) { try ClientFrame.parse(text: text) }
        #expect(refusal?.error.code == SharingError.Code(code))
    }

    @Test func `half a surrogate pair is refused with the name of its field`() {
        let text = #"{"type":"send","key":"k","chat":"77","tag":"Text","data":{"a":[{"t":"\ud800"}]}}"#
        let refusal = #expect(throws: FrameRefusal.self) { try ClientFrame.parse(text: text) }
        #expect(refusal?.error.message.contains("half a surrogate pair") == true)
        #expect(refusal?.error.message.hasSuffix("in data.a[0].t.") == true)
    }

    private static let berlin = #"{"south":52.3,"west":13,"north":52.7,"east":13.8}"#

    @Test(arguments: [
        (#"{"south":53,"west":13,"north":52,"east":14}"#, "invalidField"),
        (#"{"south":52,"west":13,"north":90.1,"east":14}"#, "invalidField"),
        (#"{"south":52,"west":-180.1,"north":53,"east":14}"#, "invalidField"),
        (#"{"south":52,"west":13,"north":53}"#, "missingField"),
        (#"{"south":52,"west":13,"north":53,"east":"14"}"#, "invalidField"),
        (#"{"south":52,"west":13,"north":53,"east":null}"#, "invalidField"),
        (#"{"south":52,"west":13,"north":53,"east":14,"up":1}"#, "unknownField"),
        (#"{"south":52,"south":52,"west":13,"north":53,"east":14}"#, "invalidJSON"),
    ])
    func `a region that is none is refused with its code`(_ region: String, _ code: String) {
        let frames = [
            #"{"type":"subscribe","id":1,"query":"people","region":\#(region)}"#,
            #"{"type":"move","id":1,"step":1,"region":\#(region)}"#,
        ]
        for frame in frames {
            let refusal = #expect(throws: FrameRefusal.self) { try ClientFrame.parse(text: frame) }
            #expect(refusal?.error.code == SharingError.Code(code))
            #expect(code == "invalidJSON" || refusal?.id == 1)
        }
    }

    @Test func `a region may cross the antimeridian, be one meridian, a point, or the Earth`() throws {
        for edges in [(-20.0, 176.0, -15.0, -178.0), (0, 5, 1, 5), (90, 0, 90, 0), (-90, -180, 90, 180)] {
            let text =
                #"{"type":"move","id":1,"step":2,"region":{"south":\#(edges.0),"west":\#(edges.1),"#
                + #""north":\#(edges.2),"east":\#(edges.3)}}"#
            let region = StreamSamples.region(edges.0, edges.1, edges.2, edges.3)
            #expect(try ClientFrame.parse(text: text) == .move(id: 1, step: 2, region: region))
        }
    }

    @Test func `a refusal names what it was about as far as that can be read`() {
        let refused = #expect(throws: FrameRefusal.self) {
            try ClientFrame.parse(text: #"{"chat":"77","key":"k1","type":"send","tag":"Text","colour":1}"#)
        }
        #expect(refused?.key == "k1")
        #expect(refused?.chat == StreamSamples.chatID)
        #expect(
            refused?.error.message
                == "Unknown field colour; allowed are type, chat, tag, key, content, data, expires, keep."
        )

        let torn = #expect(throws: FrameRefusal.self) {
            try ClientFrame.parse(text: #"{"id":5,"type":"subscribe","query"#)
        }
        #expect(torn?.id == 5)
        #expect(torn?.error.code == .invalidJSON)

        let tooLong = String(repeating: "k", count: 65)
        let nameless = #expect(throws: FrameRefusal.self) {
            try ClientFrame.parse(text: #"{"type":"leave","chat":"77","key":"\#(tooLong)"}"#)
        }
        #expect(nameless?.key == nil)
        #expect(nameless?.chat == nil)
    }

    @Test func `data in a frame may be nested as deep as by itself`() throws {
        func frame(depth: Int) -> String {
            let nested = String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
            return #"{"type":"send","key":"k","chat":"77","tag":"Text","data":{"a":\#(nested)}}"#
        }
        _ = try ClientFrame.parse(text: frame(depth: JSONScanner.depthLimit))
        let refused = #expect(throws: FrameRefusal.self) {
            try ClientFrame.parse(text: frame(depth: JSONScanner.depthLimit + 1))
        }
        #expect(refused?.error.code == .invalidJSON)
    }

    @Test func `the names of the fields stand in the order of the cases`() {
        for field in FrameField.allCases {
            #expect(field.name.description == "\(field)")
        }
        #expect(FrameField.allCases.count <= FrameFields.capacity)
    }
}

extension ClientFrame {
    static func parse(text: String) throws(FrameRefusal) -> ClientFrame {
        try parse([UInt8](text.utf8))
    }

    static func parse(_ bytes: [UInt8]) throws(FrameRefusal) -> ClientFrame {
        try bytes.withUnsafeBufferPointer { buffer throws(FrameRefusal) in
            try parse(UnsafeRawBufferPointer(buffer))
        }
    }
}
