// On a platform without Combine, importing this module also imports OpenCombine.
#if !canImport(Combine)
@_exported public import OpenCombine
#endif
