#include "CYonderBuild.h"

#include <stddef.h>

// A debug build would be linked anew at every commit.
#if !defined(DEBUG) && __has_include("commit.h")
#include "commit.h"
#else
#define YONDER_COMMIT NULL
#define YONDER_COMMIT_TIME 0
#endif

const char *yonder_build_commit(void) { return YONDER_COMMIT; }

int64_t yonder_build_time(void) { return YONDER_COMMIT_TIME; }
