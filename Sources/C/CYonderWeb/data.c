#include "CYonderWeb.h"

// Known to the compiler in every mode, though only C23 has it.
#pragma clang diagnostic ignored "-Wc23-extensions"

#include "data-files.h"

size_t yonder_data_file_count(void) { return sizeof data_files / sizeof *data_files; }

const yonder_web_file *yonder_data_file_at(size_t index) {
    return index < yonder_data_file_count() ? &data_files[index] : NULL;
}
