#pragma once
// Reads one op of the text form, and the names that it may use.

#include <string_view>
#include <unordered_map>

#include "meshmul/schedule.hpp"
#include "text_cursor.hpp"

namespace meshmul {

/// Names to numbers; the names are parts of the text that is read.
using NameTable = std::unordered_map<std::string_view, int>;

/// What has been declared before the ranks.
struct Declarations {
  NameTable buffers;
  NameTable signals;
  int num_ranks = 0;
};

/// The number of the buffer that comes next. Fails if none is declared by that name.
int read_buffer(TextCursor& cursor, const Declarations& declarations);

/// The op on the line of `cursor`, which stands in a lane of `rank`, up to the end of that line.
Op read_op(TextCursor& cursor, const Declarations& declarations, int rank);

}  // namespace meshmul
