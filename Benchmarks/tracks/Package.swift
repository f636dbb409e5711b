// swift-tools-version: 6.2
import PackageDescription

// What reads recorded tracks, measured without sockets or a server. The sources are links, made by
// `Scripts/link-sources`.
let package = Package(
    name: "yonder-bench-tracks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1")
    ],
    targets: [
        .target(name: "YonderJSON", path: "Links/YonderJSON"),
        .target(name: "YonderGeodesy", dependencies: [.numerics], path: "Links/YonderGeodesy"),
        .target(
            name: "YonderTracks",
            dependencies: ["YonderJSON", "YonderGeodesy"],
            path: "Links/YonderTracks"
        ),
        .executableTarget(name: "Measure", dependencies: ["YonderGeodesy", "YonderTracks"], path: "Measure"),
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
