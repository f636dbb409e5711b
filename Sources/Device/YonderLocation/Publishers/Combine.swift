// Combine if the platform has it, or else OpenCombine, for all files of this module and of modules that
// import it.
#if canImport(Combine)
@_exported public import Combine
#else
@_exported public import OpenCombine
#endif
