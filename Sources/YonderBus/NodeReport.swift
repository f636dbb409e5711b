/// What a node did and sees, for operators.
package struct NodeReport: Hashable, Sendable {
    /// Whether the bus carries frames now.
    package let hasBus: Bool

    /// The number of other nodes that are heard.
    package let others: Int

    /// What the bus carried.
    package let bus: BusCounts

    /// What the gates did.
    package let gates: GateCounts
}
