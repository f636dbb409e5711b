import YonderGeodesy

/// The data of sentences without a time, satellites and headings, valid for five seconds.
///
/// Many receivers don't send these with every epoch, and nothing in them says to which epoch they belong.
///
/// `NMEAReader` has one, passes it each GSA, GSV, HDT and HDG and the time of each epoch, and `NMEADraft` reads it when an
/// epoch ends. Times are those of the receiver, so that a file gives the same epochs as the receiver did. Nothing fails: data
/// that is too old is `nil`. The five seconds and the numbers of systems may change with `NMEAEpochTests`; that satellites of
/// two signals of a system count once must stay (`NMEARecordedTests`, compared with gpsd).
struct NMEASurroundings {
    /// Milliseconds since the first epoch, by the receiver's times.
    private var now = 0
    private var time: Int?

    private var active: Active?
    private var trueHeading: Heading?
    private var magneticHeading: Heading?

    /// Whether the last sentence was a GSA, of which there is one for each satellite system.
    private var continuesActive = false

    /// The satellites in view by system, and the time of each count.
    private var inView = SIMD8<Int32>()
    private var inViewSince = SIMD8<Int64>(repeating: .min)

    /// The data of one or more GSA together.
    struct Active {
        fileprivate(set) var dimensions: NMEAEpoch.Dimensions?
        fileprivate(set) var satellitesUsed: Int
        fileprivate(set) var positionDilution: Double?
        fileprivate(set) var horizontalDilution: Double?
        fileprivate(set) var verticalDilution: Double?
        fileprivate var since: Int
    }

    private struct Heading {
        let bearing: Bearing
        let variation: Double?
        let since: Int
    }

    private static let lifetime = 5000
    private static let millisecondsPerDay = 86_400_000

    /// Advances to the time of another epoch; a step back counts as zero.
    mutating func advance(to time: Int?) {
        continuesActive = false
        guard let time else { return }
        if let before = self.time {
            let step = time - before
            let forward = step < -Self.millisecondsPerDay / 2 ? step + Self.millisecondsPerDay : step
            now += max(0, forward)
        }
        self.time = time
    }

    mutating func take(_ report: NMEAActiveSatellites) {
        let before = continuesActive ? active?.satellitesUsed ?? 0 : 0
        active = Active(
            dimensions: report.dimensions,
            satellitesUsed: before + report.satellitesUsed,
            positionDilution: report.positionDilution,
            horizontalDilution: report.horizontalDilution,
            verticalDilution: report.verticalDilution,
            since: now
        )
        continuesActive = true
    }

    /// Stores the count of one system; the same satellites on another signal don't count again.
    mutating func take(_ report: NMEASatellitesInView, from talker: UInt16) {
        continuesActive = false
        guard report.isFirst, let count = report.count else { return }
        let system = Self.system(of: talker)
        let isRepeated = inViewSince[system] == Int64(now)
        inView[system] = isRepeated ? max(inView[system], Int32(count)) : Int32(count)
        inViewSince[system] = Int64(now)
    }

    mutating func takeTrue(_ report: NMEAHeading) {
        continuesActive = false
        trueHeading = Heading(bearing: report.heading, variation: nil, since: now)
    }

    mutating func takeMagnetic(_ report: NMEAHeading) {
        continuesActive = false
        magneticHeading = Heading(bearing: report.heading, variation: report.variation, since: now)
    }

    /// The data of GSA, unless it is too old.
    var satellites: Active? {
        active.flatMap { isFresh($0.since) ? $0 : nil }
    }

    /// The satellites in view of all systems with a recent count.
    var satellitesInView: Int? {
        var sum: Int?
        for system in inView.indices
        where inViewSince[system] != .min && isFresh(Int(inViewSince[system])) {
            sum = (sum ?? 0) + Int(inView[system])
        }
        return sum
    }

    /// The magnetic variation that came with a heading.
    var variation: Double? {
        fresh(magneticHeading)?.variation
    }

    /// The heading from true north, computed from the magnetic one if necessary.
    func trueHeading(variation: Double?) -> Bearing? {
        if let heading = fresh(trueHeading) { return heading.bearing }
        guard let heading = fresh(magneticHeading), let variation else { return nil }
        return .degrees(heading.bearing.degrees + variation)
    }

    /// The heading from magnetic north, computed from the true one if necessary.
    func magneticHeading(variation: Double?) -> Bearing? {
        if let heading = fresh(magneticHeading) { return heading.bearing }
        guard let heading = fresh(trueHeading), let variation else { return nil }
        return .degrees(heading.bearing.degrees - variation)
    }

    private func fresh(_ heading: Heading?) -> Heading? {
        heading.flatMap { isFresh($0.since) ? $0 : nil }
    }

    private func isFresh(_ since: Int) -> Bool {
        now - since <= Self.lifetime
    }

    private static func system(of talker: UInt16) -> Int {
        switch talker {
        case 0x4750: 0  // GP: GPS
        case 0x474C: 1  // GL: GLONASS
        case 0x4741: 2  // GA: Galileo
        case 0x4742, 0x4244: 3  // GB and BD: BeiDou
        case 0x4751, 0x515A, 0x5051: 4  // GQ, QZ and PQ: QZSS
        case 0x4749: 5  // GI: NavIC
        case 0x474E: 6  // GN: several
        default: 7
        }
    }
}
