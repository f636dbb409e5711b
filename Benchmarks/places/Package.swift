// swift-tools-version: 6.2
import PackageDescription

// The index of moving points and the live regions over it, measured, in a package of its own: the light targets alone
// build in seconds. `Scripts/link-sources` makes the links.
let package = Package(
    name: "yonder-places-benchmark",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1")
    ],
    targets: [
        .target(name: "YonderJSON", path: "Links/YonderJSON"),
        .target(name: "YonderGeodesy", dependencies: [.numerics], path: "Links/YonderGeodesy"),
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
        .executableTarget(
            name: "Places",
            dependencies: ["YonderGeodesy", "YonderModel", "YonderRules"],
            path: "Places"
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
