// The commit that a release was built from, written by Scripts/write-commit.

#ifndef C_YONDER_BUILD_H
#define C_YONDER_BUILD_H

#include <stdint.h>

/// The commit in hexadecimal, with `+changes` behind it if files differed from it; `NULL` in a debug build.
const char *yonder_build_commit(void);

/// When the commit was made, in seconds since 1970; 0 in a debug build.
int64_t yonder_build_time(void);

#endif
