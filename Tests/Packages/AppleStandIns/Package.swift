// swift-tools-version: 6.2
import PackageDescription

// Modules that stand for Apple's Core Location, Combine, Network, Security, UIKit, UserNotifications, SwiftUI and MapKit, so that on Linux
// the code for them is compiled and run.
// They are in a package of their own because `canImport` looks for a module, not for a declared dependency: beside
// them any target may find them. Every target here that tests `canImport` therefore declares them. The other sources are
// links, made by `Scripts/link-sources`.
//
// `make test-apple` runs the tests, and `make test-deep` once more under the address sanitizer, in the package
// Tests/Packages/Sanitizers. `make foreign-suite SUITE=DIR` puts DIR in the place of ForeignSuite.
let package = Package(
    name: "yonder-apple-stand-ins",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        .target(name: "CoreLocation"),
        .target(name: "Combine", dependencies: [.openCombine, .openCombineDispatch, .openCombineFoundation]),

        .target(name: "YonderJSON", path: "Links/YonderJSON"),
        .target(name: "YonderGeodesy", dependencies: [.numerics], path: "Links/YonderGeodesy"),
        .target(
            name: "YonderTracks",
            dependencies: ["YonderJSON", "YonderGeodesy"],
            path: "Links/YonderTracks"
        ),
        .target(
            name: "YonderLocation",
            dependencies: ["YonderGeodesy", "YonderTracks", "CoreLocation", "Combine"],
            path: "Links/YonderLocation"
        ),
        .target(
            name: "IONGeolocationLib",
            dependencies: ["YonderGeodesy", "YonderLocation", "CoreLocation", "Combine"],
            path: "Links/IONGeolocationLib"
        ),
    ]
)

/// Where the foreign suite lies, from here: our own, or what `Scripts/test-apple DIR` has copied.
let suite = Context.environment["FOREIGN_SUITE"]

if suite == nil {
    package.targets += [
        .target(
            name: "YonderModel",
            dependencies: ["YonderJSON", "YonderGeodesy"],
            path: "Links/YonderModel"
        ),
        .target(
            name: "YonderRules",
            dependencies: ["YonderJSON", "YonderGeodesy", "YonderModel"],
            path: "Links/YonderRules"
        ),
        .target(
            name: "TestSupport",
            dependencies: ["YonderGeodesy", "YonderModel", "YonderRules"],
            path: "Links/TestSupport"
        ),
        .target(
            name: "LocationTestSupport",
            dependencies: ["YonderLocation", "YonderGeodesy", "TestSupport", "CoreLocation", "Combine"],
            path: "Links/LocationTestSupport"
        ),
        .target(name: "Security"),
        // Views that a test reads and presses, and what reads them.
        .target(name: "UIKit"),
        .target(name: "SwiftUI", dependencies: ["UIKit"]),
        .target(name: "ScreenReading", dependencies: ["SwiftUI"]),
        .testTarget(name: "SwiftUITests", dependencies: ["SwiftUI", "ScreenReading", "UIKit"]),
        // Where a session is kept; the network of the others isn't needed for it.
        .target(
            name: "YonderRequests",
            dependencies: ["YonderModel", "Security"],
            path: "Links/YonderRequests",
            sources: [
                "Sessions/Session.swift", "Sessions/SessionStore.swift",
                "Sessions/KeychainSessionStore.swift",
            ]
        ),
        .target(name: "Network"),
        // What goes over Apple's network; NIO's part isn't compiled for Apple's systems.
        .target(
            name: "YonderLink",
            dependencies: ["YonderJSON", "YonderModel", "Network"],
            path: "Links/YonderLink",
            sources: [
                "Apple", "Requests/LinkRequest.swift", "Requests/LinkAnswer+Refusal.swift",
                "Stream/LinkClosure.swift", "Stream/ServerAddress.swift", "Stream/StreamLink.swift",
                "Stream/StreamTarget.swift",
            ]
        ),
        // A share in a pocket.
        .target(name: "UserNotifications"),
        .target(
            name: "YonderPocket",
            dependencies: [
                "YonderGeodesy", "YonderModel", "YonderLocation", "CoreLocation", "UIKit",
                "UserNotifications",
            ],
            path: "Links/YonderPocket"
        ),
        .testTarget(
            name: "PocketTests",
            dependencies: [
                "YonderPocket", "YonderGeodesy", "YonderModel", "YonderLocation", "LocationTestSupport",
                "CoreLocation", "UIKit", "UserNotifications",
            ]
        ),
        .target(name: "MapKit", dependencies: ["CoreLocation", "UIKit", "SwiftUI"]),
        .target(
            name: "YonderWire",
            dependencies: ["YonderJSON", "YonderGeodesy", "YonderModel"],
            path: "Links/YonderWire"
        ),
        // What is on a map, and what it asks for; the connections of the others aren't needed for it.
        .target(
            name: "YonderClient",
            dependencies: ["YonderJSON", "YonderGeodesy", "YonderModel", "YonderWire"],
            path: "Links/YonderClient",
            sources: [
                "Map", "People", "Connection/Stopwatch.swift", "Live/LiveUpdate.swift",
                "Reports/Mailbox.swift", "Regions/RegionContents.swift",
                "Regions/Locatable.swift", "Regions/MapObject.swift", "Regions/RegionAnswer.swift",
                "Regions/RegionBrowser.swift", "Regions/RegionCache.swift", "Regions/RegionPolicy.swift",
                "Regions/RegionQuery.swift",
            ]
        ),
        .target(
            name: "YonderMap",
            dependencies: [
                "YonderGeodesy", "YonderModel", "YonderClient", "MapKit", "CoreLocation", "UIKit", "SwiftUI",
            ],
            path: "Links/YonderMap"
        ),
        .testTarget(
            name: "MapKitTests",
            dependencies: [
                "YonderMap", "YonderGeodesy", "YonderModel", "YonderClient", "MapKit", "CoreLocation",
                "UIKit",
                "SwiftUI", "ScreenReading", "TestSupport",
            ]
        ),
        .testTarget(name: "NetworkTests", dependencies: ["YonderLink", "Network", "YonderModel"]),
        .testTarget(name: "SecurityTests", dependencies: ["YonderRequests", "Security", "YonderModel"]),
        .testTarget(name: "CombineTests", dependencies: ["Combine"]),
        .testTarget(
            name: "IONGeolocationLibTests",
            dependencies: ["IONGeolocationLib", "YonderLocation", "YonderGeodesy", "Combine"],
            path: "Links/IONGeolocationLibTests"
        ),
        .testTarget(
            name: "CoreLocationTests",
            dependencies: [
                "YonderGeodesy", "YonderLocation", "IONGeolocationLib", "LocationTestSupport", "CoreLocation",
                "Combine",
            ]
        ),
    ]
}

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
    ]
    // Swift Testing has an overlay for Apple's UIKit, and no such module on Linux.
    if target.name == "MapKitTests" {
        target.swiftSettings?.append(.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"]))
    }
}

package.targets.append(
    .testTarget(
        name: "ForeignSuite",
        dependencies: ["IONGeolocationLib", "CoreLocation", "Combine"],
        path: suite ?? "ForeignSuite",
        swiftSettings: [.swiftLanguageMode(.v5)]
    )
)

extension Target.Dependency {
    static let numerics = product(name: "RealModule", package: "swift-numerics")
    static let openCombine = product(name: "OpenCombine", package: "OpenCombine")
    static let openCombineDispatch = product(name: "OpenCombineDispatch", package: "OpenCombine")
    static let openCombineFoundation = product(name: "OpenCombineFoundation", package: "OpenCombine")
}
