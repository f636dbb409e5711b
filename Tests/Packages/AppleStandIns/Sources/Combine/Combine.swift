// Apple's Combine by OpenCombine, with its schedulers for queues and run loops, its timers and notifications.
// Beside this file stands what it lacks: merge and combineLatest.
@_exported public import OpenCombine
@_exported public import OpenCombineDispatch
@_exported public import OpenCombineFoundation
