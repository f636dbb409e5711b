import Testing

/// Where the test program begins.
///
/// SwiftPM writes such a file by itself where there is none. Its own looks for tests of XCTest, of which there are none
/// here, in an index that the compiler would have to write beside every module.
@main
struct TestProgram {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
