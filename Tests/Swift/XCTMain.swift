import Testing

/// Where the test program begins.
///
/// SwiftPM writes such a file by itself where there is none. Its own looks for tests of XCTest in an index that the
/// compiler would have to write beside every module.
@main
struct TestProgram {
    static func main() async {
        // `swift test` runs the program once for each library, and names it for this one alone.
        guard CommandLine.arguments.contains("swift-testing") else {
            print("There are no tests of XCTest; --testing-library swift-testing runs those that there are.")
            return
        }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
