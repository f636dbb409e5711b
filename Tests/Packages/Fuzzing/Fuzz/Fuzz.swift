import Glibc

// Feeds what libFuzzer makes to everything that reads a peer's bytes. A codec may refuse; it may not trap, read out of
// bounds (the sanitizer sees that) or take for ever. What it accepts must come out as it went in.

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt

/// The entry: SwiftPM renames the program's `main` to this.
@_cdecl("Fuzz_main")
public func fuzzMain(
    _ count: CInt,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> CInt {
    if let letter = getenv("FUZZ_ONLY") { only = UInt8(bitPattern: letter.pointee) }
    var count = count
    var arguments = arguments
    return withUnsafeMutablePointer(to: &arguments) { runDriver(&count, $0, test) }
}

/// The codec that all inputs go to, where `FUZZ_ONLY` has its letter.
// Safe because it is set once, before the first input.
nonisolated(unsafe) private var only: UInt8?

/// One input: its first byte chooses the codec (`A`, `B`, … in the corpus), the rest is what a peer sent.
private func test(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    guard let choice = only ?? input.first else { return 0 }
    let codecs = Codec.all
    codecs[Int((choice &- 1) & 0x1F) % codecs.count].read(Array(input.dropFirst()))
    return 0
}
