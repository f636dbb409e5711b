/// The cost of one scrypt hash in time and memory, with `r = 8`.
///
/// `PasswordHash` has one, `PasswordHasher` chooses that of new hashes by the memory that there is. A cost out of range
/// is the caller's mistake; a stored text with such a cost is no hash. A hash stays as expensive to guess where memory
/// is small, by `parallelism`: the work of ``full`` must stay or grow (`PasswordTests`); old hashes keep their own cost.
package struct PasswordCost: Hashable, Sendable {
    /// The binary logarithms of scrypt's `N` that are accepted.
    static let exponents = 1...17

    /// The values of scrypt's `p` that are accepted.
    static let parallelisms = 1...16

    /// The cost of new hashes: `N = 2^17`, `p = 1`, 128 MiB.
    package static let full = PasswordCost(exponent: 17)

    /// The least memory in which a new hash is computed, with the work of ``full``: `N = 2^13`, `p = 16`, 8 MiB.
    ///
    /// It is the smallest of the choices that OWASP's *Password Storage Cheat Sheet* counts as equal, there with
    /// `p = 10`. With less memory a hash keeps attackers busy no longer: a graphics card would try thousands at once.
    package static let least = PasswordCost(exponent: 13, parallelism: 16)

    /// The binary logarithm of scrypt's `N`.
    package let exponent: Int

    /// Scrypt's `p`: how many times the work is done, one after the other in the same memory.
    package let parallelism: Int

    /// Creates a cost.
    ///
    /// - Precondition: `exponent` is in `1...17`, `parallelism` in `1...16`.
    package init(exponent: Int, parallelism: Int = 1) {
        precondition(Self.exponents.contains(exponent), "scrypt's N is out of range")
        precondition(Self.parallelisms.contains(parallelism), "scrypt's p is out of range")
        self.exponent = exponent
        self.parallelism = parallelism
    }

    /// The cost with the work of ``full`` in at most `memory` bytes, but never in less than that of ``least``.
    package init(within memory: Int) {
        let (least, full) = (Self.least.exponent, Self.full.exponent)
        let exponent = (least...full).last { 1 << ($0 + 10) <= memory } ?? least
        self.init(exponent: exponent, parallelism: 1 << (full - exponent))
    }

    /// The memory for computing a hash, in bytes: `128 * r * N`.
    package var memory: Int { 1 << (exponent + 10) }

    /// The work, in rounds of `N`.
    var work: Int { parallelism << exponent }

    /// The costs to add to this one to equal the work of `target`, largest first; empty if this one is at
    /// least as large.
    func padding(to target: PasswordCost) -> [PasswordCost] {
        var missing = target.work - work
        var costs: [PasswordCost] = []
        while missing > 1 {
            let exponent = min(target.exponent, Int.bitWidth - 1 - missing.leadingZeroBitCount)
            costs.append(PasswordCost(exponent: exponent))
            missing -= 1 << exponent
        }
        return costs
    }
}
