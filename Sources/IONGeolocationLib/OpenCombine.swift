// Where there is no Combine to import beside this module, its stand-in comes with it.
#if !canImport(Combine)
@_exported public import OpenCombine
#endif
