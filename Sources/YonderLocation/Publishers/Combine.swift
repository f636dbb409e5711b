// Combine where there is one, else OpenCombine, for every file of this module and for those who import it.
#if canImport(Combine)
@_exported public import Combine
#else
@_exported public import OpenCombine
#endif
