// swift-tools-version: 6.2
import PackageDescription

// A program for libFuzzer, in a package of its own: the instrumentation would break the main one's tests.
// Scripts/test-fuzzed builds and runs it.
let package = Package(
    name: "yonder-fuzzing",
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
        .executableTarget(
            name: "Fuzz",
            dependencies: ["YonderGeodesy", "YonderTracks", "YonderModel", "YonderWire"],
            path: "Fuzz"
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
