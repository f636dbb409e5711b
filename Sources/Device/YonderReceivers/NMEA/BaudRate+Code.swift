#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

// For `DeviceDescriptor`; each speed of `BaudRate.allCases` must have its constant here, or the line is set to 4800.
extension BaudRate {
    /// The system's constant for this speed.
    var code: speed_t {
        let codes: [Int: CInt] = [
            1200: B1200, 2400: B2400, 4800: B4800, 9600: B9600, 19_200: B19200, 38_400: B38400,
            57_600: B57600,
            115_200: B115200, 230_400: B230400, 460_800: B460800, 921_600: B921600,
        ]
        return speed_t(codes[bitsPerSecond] ?? B4800)
    }
}
#else
import Darwin

extension BaudRate {
    /// The system's value for this speed: the number itself.
    var code: speed_t { speed_t(bitsPerSecond) }
}
#endif
