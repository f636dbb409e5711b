#include "CYonderWeb.h"

// Known to the compiler in every mode, though only C23 has it.
#pragma clang diagnostic ignored "-Wc23-extensions"

#include "web-files.h"

size_t yonder_web_file_count(void) { return sizeof web_files / sizeof *web_files; }

const yonder_web_file *yonder_web_file_at(size_t index) {
    return index < yonder_web_file_count() ? &web_files[index] : NULL;
}

const char *yonder_web_tree_hash(void) { return YONDER_WEB_TREE_HASH; }
