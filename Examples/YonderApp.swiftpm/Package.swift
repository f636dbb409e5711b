// swift-tools-version: 6.2
import AppleProductTypes
import PackageDescription

// An app for the phone, which Xcode opens and runs. To run it on a phone, choose your team in Xcode and an identifier of your own.
let package = Package(
    name: "YonderApp",
    platforms: [.iOS(.v18)],
    products: [
        .iOSApplication(
            name: "Yonder",
            targets: ["YonderApp"],
            bundleIdentifier: "org.example.yonder",
            displayVersion: "1.0",
            bundleVersion: "1",
            accentColor: .presetColor(.blue),
            supportedDeviceFamilies: [.phone, .pad],
            supportedInterfaceOrientations: [
                .portrait, .landscapeLeft, .landscapeRight,
                .portraitUpsideDown(.when(deviceFamilies: [.pad])),
            ],
            additionalInfoPlistContentFilePath: "Info.plist"
        )
    ],
    dependencies: [
        // By its name, as a clone's folder may have any other.
        .package(name: "yonder", path: "../..", traits: ["Client", "Outbox"])
    ],
    targets: [
        .executableTarget(
            name: "YonderApp",
            dependencies: [
                .product(name: "YonderAppModels", package: "yonder"),
                .product(name: "YonderClient", package: "yonder"),
                .product(name: "YonderLocation", package: "yonder"),
                .product(name: "YonderMap", package: "yonder"),
                .product(name: "YonderOutbox", package: "yonder"),
            ],
            path: "Sources",
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]
        )
    ]
)
