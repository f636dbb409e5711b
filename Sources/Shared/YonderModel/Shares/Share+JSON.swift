import YonderGeodesy
import YonderJSON

// Writes shares and their freshness, for frames (`ServerFrame+Writing.swift`) and for answers of REST (`ShareEndpoints`), and
// reads an arrival's place, which a client sends; the client reads shares in `ShownShare+Parsing.swift`. Writing can't fail.
// A place that isn't one is `invalidField`, with what is accepted. Names, units and words must stay: clients of every version
// read them (`Documentation/sharing.md`, `openapi.yaml`, `DocumentedFrameTests`). A member may be added, as clients ignore
// unknown ones.
extension JSONWriter {
    /// Appends a share as its viewers see it.
    package mutating func object(_ shown: ShownShare) {
        members(of: shown)
        raw("}")
    }

    /// The same without the closing brace.
    package mutating func members(of shown: ShownShare) {
        let share = shown.share
        raw("{\"share\":")
        identifier(share.id)
        raw(",\"chat\":")
        identifier(share.chat)
        raw(",\"user\":")
        identifier(share.user)
        raw(",\"started\":")
        integer(share.started.milliseconds)
        raw(",\"until\":")
        until(of: share)
        if let arrival = share.arrival {
            raw(",\"arrival\":")
            object(arrival)
        }
        raw(",\"keep\":\"")
        raw(share.keeping.rawValue.utf8)
        raw("\",\"freshness\":")
        object(shown.freshness)
    }

    /// Appends a share's end by the clock, or `null`.
    package mutating func until(of share: Share) {
        if let until = share.until { integer(until.milliseconds) } else { raw("null") }
    }

    /// Appends the place of an arrival.
    package mutating func object(_ arrival: Arrival) {
        raw("{\"latitude\":")
        double(arrival.coordinate.latitude)
        raw(",\"longitude\":")
        double(arrival.coordinate.longitude)
        raw(",\"radius\":")
        double(arrival.radius.meters)
        raw("}")
    }

    /// Appends a freshness.
    package mutating func object(_ freshness: Freshness) {
        raw("{\"state\":\"")
        raw(freshness.state.rawValue.utf8)
        raw("\"")
        if let cause = freshness.cause {
            raw(",\"cause\":\"")
            raw(cause.rawValue.utf8)
            raw("\"")
        }
        raw(",\"asOf\":")
        integer(freshness.asOf.milliseconds)
        if let since = freshness.since {
            raw(",\"since\":")
            integer(since.milliseconds)
        }
        if let gap = freshness.gap {
            raw(",\"gap\":")
            integer(Int64(gap / .milliseconds(1)))
        }
        if let battery = freshness.battery {
            raw(",\"battery\":")
            double(battery)
        }
        if let isCharging = freshness.isCharging {
            raw(isCharging ? ",\"charging\":true" : ",\"charging\":false")
        }
        raw(",\"changes\":[")
        for (index, change) in freshness.changes.enumerated() {
            raw(index == 0 ? "{\"at\":" : ",{\"at\":")
            integer(change.time.milliseconds)
            raw(",\"state\":\"")
            raw(change.state.rawValue.utf8)
            raw("\"}")
        }
        raw("]}")
    }
}

extension Arrival {
    /// Reads `{"latitude":…,"longitude":…,"radius":…}`; without a radius it is 100 m.
    ///
    /// - Throws: `invalidField`.
    package init(_ data: MessageData) throws(SharingError) {
        let fields = ReportFields(data)
        let radius = fields.radius.map { Distance(meters: $0) } ?? Distance.meters(100)
        guard fields.isKnown, let coordinate = fields.coordinate, let radius,
            let arrival = Arrival(coordinate: coordinate, radius: radius)
        else {
            throw SharingError(
                .invalidField,
                "arrival must have a latitude in -90…90, a longitude in -180…180, and at most a radius of 10 to 5000 meters."
            )
        }
        self = arrival
    }
}
