import TestSupport
import Testing
import YonderModel

@testable import YonderClient

@Suite struct EmptyingTests {
    @Test(
        arguments: [
            (MessageTag.recall, #"{"number":12}"#, Emptying.message(12)),
            (.recall, #"{"number":"12"}"#, nil),
            (.leave, nil, .positions(of: Sample.ada)),
            (.remove, #"{"user":"2"}"#, .positions(of: Sample.bea)),
            (.remove, #"{"user":2}"#, nil),
            (.share, #"{"share":"7","state":"stopped","keep":"expiring"}"#, .positions(of: Sample.ada)),
            (
                .share, #"{"share":"7","state":"expired","keep":"expiring","arrived":true}"#,
                .positions(of: Sample.ada)
            ),
            (.share, #"{"share":"7","state":"stopped","keep":"kept"}"#, nil),
            (.share, #"{"share":"7","state":"changed","keep":"expiring"}"#, nil),
            (.text, #"{"state":"stopped","keep":"expiring"}"#, nil),
        ] as [(MessageTag, String?, Emptying?)]
    )
    func `a recall empties a message, and the end of an expiring share a person's positions`(
        tag: MessageTag,
        data: String?,
        emptying: Emptying?
    ) throws {
        let data = try data.map { try MessageData(Array($0.utf8)) }
        #expect(Sample.message(20, tag: tag, data: data).emptying == emptying)
    }
}
