/// Counts and states of a node, for operators.
///
/// Names of the metrics are promised in `Documentation/operations.md`.
package struct NodeReport: Hashable, Sendable {
    /// Whether the bus carries frames now.
    package let hasBus: Bool

    /// The number of other nodes that have sent a frame, and haven't stopped or gone silent since.
    package let others: Int

    /// Counts of the bus.
    package let bus: BusCounts

    /// Counts of the chat gates.
    package let gates: GateCounts
}
