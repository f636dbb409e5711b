// swift-tools-version: 6.2
import PackageDescription

// Live regions through the hub, measured without sockets, in a package of its own: it needs the hub and NIO alone.
// `Scripts/link-sources` makes the links.
//
// link Regions/Links/Crowd.swift to ../places/Places/Crowd.swift
// link Regions/Links/Workload.swift to ../places/Places/Workload.swift
// link Regions/Links/Workload+Generated.swift to ../places/Places/Workload+Generated.swift
let package = Package(
    name: "yonder-regions-benchmark",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
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
        .target(
            name: "YonderWire",
            dependencies: ["YonderJSON", "YonderGeodesy", "YonderModel"],
            path: "Links/YonderWire"
        ),
        .target(
            name: "YonderObjects",
            dependencies: ["YonderJSON", "YonderGeodesy", "YonderModel", "YonderRules", "YonderBus"],
            path: "Links/YonderObjects"
        ),
        // What writes the header of a frame; its connections aren't needed for it.
        .target(
            name: "YonderTransport",
            dependencies: ["YonderWire", .nioCore],
            path: "Links/YonderTransport",
            sources: [
                "WebSocket/FrameHeader.swift", "WebSocket/FrameHeader+Writing.swift",
                "WebSocket/TextFrame.swift", "WebSocket/WebSocketViolation.swift",
            ]
        ),
        .target(
            name: "YonderBus",
            dependencies: ["YonderGeodesy", "YonderModel", "YonderRules", "YonderWire", .logging],
            path: "Links/YonderBus"
        ),
        .target(
            name: "YonderWorld",
            dependencies: [
                "YonderJSON", "YonderGeodesy", "YonderModel", "YonderRules", "YonderWire", "YonderBus",
                "YonderTransport", .logging, .nioCore,
            ],
            path: "Links/YonderWorld"
        ),
        .target(
            name: "MemoryStores",
            dependencies: ["YonderGeodesy", "YonderModel", "YonderRules"],
            path: "Links/Memory"
        ),
        .target(
            name: "YonderHub",
            dependencies: [
                "YonderJSON", "YonderGeodesy", "YonderModel", "YonderRules", "YonderWire", "YonderObjects",
                "YonderBus", "YonderTransport", "YonderWorld",
                .nioCore, .nioPosix, .locks, .logging,
            ],
            path: "Links/YonderHub"
        ),
        .executableTarget(
            name: "Regions",
            dependencies: [
                "MemoryStores", "YonderGeodesy", "YonderModel", "YonderRules", "YonderWire", "YonderObjects",
                "YonderHub",
                .nioCore, .nioPosix, .logging,
            ],
            path: "Regions"
        ),
    ]
)

extension Target.Dependency {
    static let locks = product(name: "NIOConcurrencyHelpers", package: "swift-nio")
    static let logging = product(name: "Logging", package: "swift-log")
    static let nioCore = product(name: "NIOCore", package: "swift-nio")
    static let nioPosix = product(name: "NIOPosix", package: "swift-nio")
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
