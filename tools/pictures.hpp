#pragma once
// The options that write pictures beside what a verb prints: `--html FILE`, `--trace FILE`, `--ranks 0-7`.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "meshmul/draw.hpp"

namespace meshmul::cli {

struct PictureOptions {
  std::string html;
  std::string trace;
  std::string ranks;
};

/// Of a verb that has a plan or schedule to draw: `--html` and `--ranks`.
void add_page(CLI::App& verb, PictureOptions& options);
/// Of one that has a timeline too: also `--trace`.
void add_pictures(CLI::App& verb, PictureOptions& options);

/// Throws Error(kInvalidArgument) if a picture would overwrite another one, or one of `files`, which the verb reads or
/// writes besides; empty names do not count.
void refuse_same_files(const PictureOptions& options, const std::vector<std::string>& files);

/// True if a picture was asked for. Throws Error(kInvalidArgument) if there are ranks to draw and no picture.
bool wants_pictures(const PictureOptions& options);

/// Writes what was asked for; each file appears under its name only when it is complete. Of a large one standard error says
/// first how large it will be, and how it gets smaller.
/// Throws Error(kInvalidArgument) for ranks that there are not and files that cannot be written.
void write_pictures(const PictureOptions& options, Drawing drawing);

}  // namespace meshmul::cli
