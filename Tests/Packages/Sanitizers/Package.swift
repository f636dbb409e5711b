// swift-tools-version: 6.2
import PackageDescription

// The targets that need no server, and their tests, once more for the sanitizers: these need every module compiled
// anew, which takes a minute or two here and would take half an hour with the server's dependencies. The sources are
// links, made by `Scripts/link-sources`.
//
// There are two builds. The one for addresses is optimized, and instrumented for libFuzzer as well: it runs the
// tests, the program `Fuzz`, and the code for Core Location and Combine against the modules of
// Tests/Packages/AppleStandIns. The one for threads has the tests that have threads, of the shared types alone: on Linux the thread
// sanitizer doesn't see a contended `Mutex` being handed over, and calls every use of YonderLocation a race. The tests that
// it leaves out run in the other build and in `make test-swift`. Scripts/test-sanitized and Scripts/test-fuzzed make them.
let package = Package(
    name: "yonder-sanitizers",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
        // Both builds have the same packages, as they share one list of resolved versions.
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        .target(name: "YonderJSON", path: "Links/YonderJSON"),
        .target(name: "YonderGeodesy", dependencies: [.numerics], path: "Links/YonderGeodesy"),
        .target(
            name: "YonderTracks",
            dependencies: ["YonderJSON", "YonderGeodesy"],
            path: "Links/YonderTracks"
        ),
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
        // Without its connections: what reads a server's bytes knows no sockets.
        .target(
            name: "YonderNATS",
            dependencies: ["YonderJSON"],
            path: "Links/YonderNATS",
            sources: ["Protocol"]
        ),
        // Without its link and its log: the bytes of frames, and the values that take their numbers.
        .target(
            name: "YonderBus",
            dependencies: ["YonderGeodesy", "YonderModel", "YonderRules", "YonderWire"],
            path: "Links/YonderBus",
            sources: [
                "Frames", "Lanes", "Gate/ChatGate.swift", "Gate/HoldTime.swift", "Published.swift",
                "NodeRoll.swift", "Requests/AnswerPart.swift",
            ]
        ),
        .target(
            name: "TestSupport",
            dependencies: ["YonderGeodesy", "YonderModel", "YonderRules"],
            path: "Links/TestSupport"
        ),
        .testTarget(
            name: "YonderJSONTests",
            dependencies: ["YonderJSON", "TestSupport"],
            path: "Links/YonderJSONTests"
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
            name: "YonderRulesTests",
            dependencies: ["YonderRules", "YonderModel", "YonderGeodesy", "TestSupport"],
            path: "Links/YonderRulesTests"
        ),
        .testTarget(
            name: "YonderWireTests",
            dependencies: ["YonderWire", "YonderModel", "YonderJSON", "YonderGeodesy", "TestSupport"],
            path: "Links/YonderWireTests"
        ),
    ]
)

let isForThreads = Context.environment["SANITIZER"] == "thread"

if isForThreads {
    let sources = [
        "YonderGeodesyTests": ["Index", "RandomValues.swift"], "YonderRulesTests": ["Limits", "Stores"],
    ]
    let values: Set = [
        "YonderTracks", "YonderWire", "YonderNATS", "YonderBus", "YonderJSONTests", "YonderTracksTests",
        "YonderModelTests",
        "YonderWireTests",
    ]
    package.targets.removeAll { values.contains($0.name) }
    for target in package.targets { target.sources = sources[target.name] }
}

if !isForThreads {
    package.targets += [
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "YonderGeodesy", "YonderTracks", "YonderModel", "YonderRules", "YonderWire", "YonderNATS",
                "YonderBus",
            ],
            path: "Links/Fuzz",
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]
        ),

        // `canImport` looks for a module, not for a declared dependency: what tests it declares the stand-ins.
        .target(name: "CoreLocation", path: "Links/CoreLocation"),
        .target(
            name: "Combine",
            dependencies: [.openCombine, .openCombineDispatch, .openCombineFoundation],
            path: "Links/Combine"
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
        .target(
            name: "LocationTestSupport",
            dependencies: ["YonderLocation", "YonderGeodesy", "TestSupport", "CoreLocation", "Combine"],
            path: "Links/LocationTestSupport"
        ),
        .testTarget(name: "CombineTests", dependencies: ["Combine"], path: "Links/CombineTests"),
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
            ],
            path: "Links/CoreLocationTests"
        ),
    ]
}

// What libFuzzer needs to see which way an input went.
let coverage = SwiftSetting.unsafeFlags([
    "-sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table"
])
let fuzzed: Set = [
    "YonderJSON", "YonderGeodesy", "YonderTracks", "YonderModel", "YonderWire", "YonderNATS", "YonderBus",
    "Fuzz",
]

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
    ]
    if !isForThreads, fuzzed.contains(target.name) { target.swiftSettings?.append(coverage) }
    if !isForThreads, target.isTest { target.swiftSettings?.append(.unsafeFlags(["-Onone"])) }
}

if !isForThreads {
    package.targets.append(
        .testTarget(
            name: "ForeignSuite",
            dependencies: ["IONGeolocationLib", "CoreLocation", "Combine"],
            path: "Links/ForeignSuite",
            swiftSettings: [.swiftLanguageMode(.v5)]
        )
    )
}

extension Target.Dependency {
    static let numerics = product(name: "RealModule", package: "swift-numerics")
    static let openCombine = product(name: "OpenCombine", package: "OpenCombine")
    static let openCombineDispatch = product(name: "OpenCombineDispatch", package: "OpenCombine")
    static let openCombineFoundation = product(name: "OpenCombineFoundation", package: "OpenCombine")
}
