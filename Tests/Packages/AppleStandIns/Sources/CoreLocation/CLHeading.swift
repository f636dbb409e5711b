// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// One of the three components of the raw magnetic field.
public typealias CLHeadingComponentValue = Double

/// Where a device points to.
///
/// A negative heading or accuracy is invalid. An app can't make one; a test subclasses it.
open class CLHeading: NSObject, NSCopying, NSSecureCoding {
    private let created: Date

    open var magneticHeading: CLLocationDirection { -1 }
    open var trueHeading: CLLocationDirection { -1 }
    open var headingAccuracy: CLLocationDirection { -1 }
    open var x: CLHeadingComponentValue { 0 }
    open var y: CLHeadingComponentValue { 0 }
    open var z: CLHeadingComponentValue { 0 }
    open var timestamp: Date { created }

    public override init() {
        created = Date()
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        self
    }

    public static var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        created = Date(timeIntervalSince1970: coder.decodeDouble(forKey: "timestamp"))
    }

    open func encode(with coder: NSCoder) {
        coder.encode(created.timeIntervalSince1970, forKey: "timestamp")
    }
}
