/// A part of a node's answer to another node's request.
///
/// `NodeRequests` cuts an answer into parts, `NodeLink` publishes them, `PendingRequests` puts them together. Nothing
/// fails. A part must fit a frame (`BusFrame.byteLimit`), and its form must stay while two versions run side by side
/// (`PendingRequestsTests`, `BusFrameTests`).
package struct AnswerPart: Hashable, Sendable {
    /// The most bytes of a part: half of a frame's limit.
    static let byteLimit = BusFrame.byteLimit / 2

    /// The node that asked.
    package let node: UInt64

    /// The number that the asking node gave to its request.
    package let request: UInt64

    /// The part's number, from 0.
    package let number: Int

    /// Whether this is the last part.
    package let isLast: Bool

    /// The part's bytes; `nil` if the node can't answer.
    package let bytes: [UInt8]?

    /// The highest number of a part, far above what the longest answer needs.
    static let limit = 65_535

    /// Creates a part.
    package init(node: UInt64, request: UInt64, number: Int, isLast: Bool, bytes: [UInt8]?) {
        self.node = node
        self.request = request
        self.number = number
        self.isLast = isLast
        self.bytes = bytes
    }

    /// The parts of an answer, in order; one part without bytes if `answer` is `nil`, because the node can't answer.
    static func parts(of answer: [UInt8]?, to request: UInt64, of node: UInt64) -> [AnswerPart] {
        guard let answer, !answer.isEmpty else {
            return [AnswerPart(node: node, request: request, number: 0, isLast: true, bytes: answer)]
        }
        return stride(from: 0, to: answer.count, by: byteLimit).enumerated().map { number, start in
            let end = min(start + byteLimit, answer.count)
            return AnswerPart(
                node: node,
                request: request,
                number: number,
                isLast: end == answer.count,
                bytes: Array(answer[start..<end])
            )
        }
    }
}
