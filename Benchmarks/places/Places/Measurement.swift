import Foundation

/// How long each of many calls took.
struct Latencies {
    private var nanoseconds: [UInt32] = []

    /// How many calls there were for each second that the thread ran.
    var perOwnSecond: Double?

    mutating func add(_ duration: UInt64) {
        nanoseconds.append(UInt32(clamping: duration))
    }

    /// Takes the shorter time of each call, if there are others already.
    mutating func keepShorter(_ other: Latencies) {
        nanoseconds = nanoseconds.isEmpty ? other.nanoseconds : zip(nanoseconds, other.nanoseconds).map(min)
    }

    var perSecond: Double {
        Double(nanoseconds.count) / (Double(nanoseconds.reduce(UInt64(0)) { $0 + UInt64($1) }) / 1e9)
    }

    func microseconds(percentile: Double) -> Double {
        let sorted = nanoseconds.sorted()
        let index = min(sorted.count - 1, Int(percentile * Double(sorted.count)))
        return sorted.isEmpty ? 0 : Double(sorted[index]) / 1000
    }
}

/// Nanoseconds of a clock that only goes forward.
func now() -> UInt64 {
    read(CLOCK_MONOTONIC)
}

/// Nanoseconds that this thread has run: what else the machine does is not in it.
func ownTime() -> UInt64 {
    read(CLOCK_THREAD_CPUTIME_ID)
}

private func read(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// The memory of this process in bytes, without what the allocator has kept of what was freed: as the peers count.
func residentBytes() -> Double {
    if let address = dlsym(nil, "malloc_trim") {
        _ = unsafeBitCast(address, to: (@convention(c) (Int) -> Int32).self)(0)
    }
    guard
        let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
        let pages = text.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
    else { return 0 }
    return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
}

/// Prints results as the peers do: a line of JSON each.
struct Report {
    let points: Int
    let round: Int

    func result(_ test: String, _ metric: String, _ value: Double) {
        let name = points % 1_000_000 == 0 ? "\(points / 1_000_000)M" : "\(points / 1000)k"
        print(
            #"{"round":\#(round),"peer":"Yonder","n":"\#(name)","test":"\#(test)","metric":"\#(metric)","value":\#(value)}"#
        )
    }

    func result(_ test: String, _ latencies: Latencies) {
        result(test, "per_s", latencies.perSecond)
        if let perOwnSecond = latencies.perOwnSecond { result(test, "per_cpu_s", perOwnSecond) }
        result(test, "p50_us", latencies.microseconds(percentile: 0.5))
        result(test, "p99_us", latencies.microseconds(percentile: 0.99))
    }
}
