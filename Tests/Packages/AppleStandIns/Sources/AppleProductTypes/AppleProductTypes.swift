// Apple documents what isn't documented here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import PackageDescription

/// What stands for the products that Xcode adds to a manifest, so that the example's manifest is type-checked on Linux.
///
/// The names and the order of arguments are those of SwiftPM's own sources (`Sources/AppleProductTypes`), which Linux leaves out.
public enum ProductSetting {
    public enum IOSAppInfo {
        public enum DeviceFamily: Sendable {
            case pad
            case phone
            case mac
        }

        public struct DeviceFamilyCondition: Sendable {
            public static func when(deviceFamilies: [DeviceFamily]) -> DeviceFamilyCondition { Self() }
        }

        public struct InterfaceOrientation: Sendable {
            public static var portrait: Self { Self() }
            public static var portraitUpsideDown: Self { Self() }
            public static var landscapeRight: Self { Self() }
            public static var landscapeLeft: Self { Self() }
            public static func portraitUpsideDown(_ condition: DeviceFamilyCondition? = nil) -> Self {
                Self()
            }
        }

        public struct AppIcon: Sendable {}

        public struct AccentColor: Sendable {
            public struct PresetColor: Sendable {
                public static var blue: PresetColor { PresetColor() }
            }

            public static func presetColor(_ presetColor: PresetColor) -> AccentColor { Self() }
        }

        public struct Capability: Sendable {}

        public struct AppCategory: Sendable {}
    }
}

extension Product {
    public static func iOSApplication(
        name: String,
        targets: [String],
        bundleIdentifier: String? = nil,
        teamIdentifier: String? = nil,
        displayVersion: String? = nil,
        bundleVersion: String? = nil,
        appIcon: ProductSetting.IOSAppInfo.AppIcon? = nil,
        accentColor: ProductSetting.IOSAppInfo.AccentColor? = nil,
        supportedDeviceFamilies: [ProductSetting.IOSAppInfo.DeviceFamily],
        supportedInterfaceOrientations: [ProductSetting.IOSAppInfo.InterfaceOrientation],
        capabilities: [ProductSetting.IOSAppInfo.Capability] = [],
        appCategory: ProductSetting.IOSAppInfo.AppCategory? = nil,
        additionalInfoPlistContentFilePath: String? = nil
    ) -> Product {
        .executable(name: name, targets: targets)
    }
}
