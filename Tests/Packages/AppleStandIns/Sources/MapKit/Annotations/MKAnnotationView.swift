// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation
public import UIKit

public struct MKFeatureDisplayPriority: Hashable, Sendable {
    public let rawValue: Float
    public init(rawValue: Float) { self.rawValue = rawValue }
    public static var required: MKFeatureDisplayPriority { MKFeatureDisplayPriority(rawValue: 1_000) }
    public static var defaultHigh: MKFeatureDisplayPriority { MKFeatureDisplayPriority(rawValue: 750) }
    public static var defaultLow: MKFeatureDisplayPriority { MKFeatureDisplayPriority(rawValue: 250) }
}

@MainActor
open class MKAnnotationView: UIView {
    open private(set) var reuseIdentifier: String?
    open var annotation: (any MKAnnotation)?
    open var image: UIImage?
    open var canShowCallout: Bool = false
    open var leftCalloutAccessoryView: UIView?
    open var rightCalloutAccessoryView: UIView?
    open var detailCalloutAccessoryView: UIView?
    open var displayPriority: MKFeatureDisplayPriority = .required
    open var isSelected: Bool = false

    public required init(annotation: (any MKAnnotation)?, reuseIdentifier: String?) {
        (self.annotation, self.reuseIdentifier) = (annotation, reuseIdentifier)
        super.init(frame: .zero)
    }

    open func prepareForReuse() {}

    open func setSelected(_ selected: Bool, animated: Bool) {
        isSelected = selected
    }

    /// Whether the callout is open; Apple's MapKit doesn't say so.
    package var isCalloutOpen: Bool {
        isSelected && canShowCallout && annotation?.title?.isEmpty == false
    }
}

@MainActor
open class MKMarkerAnnotationView: MKAnnotationView {
    open var markerTintColor: UIColor?
    open var glyphText: String?

    public required init(annotation: (any MKAnnotation)?, reuseIdentifier: String?) {
        super.init(annotation: annotation, reuseIdentifier: reuseIdentifier)
        displayPriority = .defaultLow
    }
}
