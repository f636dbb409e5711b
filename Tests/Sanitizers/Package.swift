// swift-tools-version: 6.2
import PackageDescription

// The light targets and their tests once more, for the sanitizers: these need every module compiled anew, which
// takes a minute here and would take half an hour with the server's dependencies. The sources are links.
//
// YonderLocation isn't among them: on Linux the thread sanitizer doesn't see a contended `Mutex` being handed over, and
// calls every use of it a race.
let package = Package(
    name: "yonder-sanitizers",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1")
    ],
    targets: [
        .target(name: "YonderGeodesy", dependencies: [.numerics], path: "Links/YonderGeodesy"),
        .target(name: "YonderTracks", dependencies: ["YonderGeodesy"], path: "Links/YonderTracks"),
        .target(name: "YonderModel", dependencies: ["YonderGeodesy"], path: "Links/YonderModel"),
        .target(
            name: "YonderWire",
            dependencies: ["YonderGeodesy", "YonderModel"],
            path: "Links/YonderWire"
        ),
        .target(
            name: "TestSupport",
            dependencies: ["YonderGeodesy", "YonderModel"],
            path: "Links/TestSupport"
        ),
        .testTarget(
            name: "YonderGeodesyTests",
            dependencies: ["YonderGeodesy", "TestSupport"],
            path: "Links/YonderGeodesyTests"
        ),
        .testTarget(
            name: "YonderTracksTests",
            dependencies: ["YonderTracks", "YonderGeodesy", "TestSupport"],
            path: "Links/YonderTracksTests"
        ),
        .testTarget(
            name: "YonderModelTests",
            dependencies: ["YonderModel", "YonderGeodesy", "TestSupport"],
            path: "Links/YonderModelTests"
        ),
        .testTarget(
            name: "YonderWireTests",
            dependencies: ["YonderWire", "YonderModel", "YonderGeodesy", "TestSupport"],
            path: "Links/YonderWireTests"
        ),
    ]
)

extension Target.Dependency {
    static let numerics = product(name: "RealModule", package: "swift-numerics")
}

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
