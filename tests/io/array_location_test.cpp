#include "io/array_location.hpp"

#include <gmock/gmock.h>

#include "files.hpp"

namespace meshmul {
namespace {

TEST(ArrayLocation, IsAFileAndPerhapsATensor) {
  EXPECT_EQ(parse_array_location("a.npy"), (ArrayLocation{"a.npy", FileFormat::kNpy, ""}));
  EXPECT_EQ(parse_array_location("x:y/a b.npy"), (ArrayLocation{"x:y/a b.npy", FileFormat::kNpy, ""}));
  EXPECT_EQ(parse_array_location("m.safetensors"), (ArrayLocation{"m.safetensors", FileFormat::kSafetensors, ""}));
  EXPECT_EQ(parse_array_location("d/m.safetensors:layers.0:w"),
            (ArrayLocation{"d/m.safetensors", FileFormat::kSafetensors, "layers.0:w"}));
}

TEST(ArrayLocation, OfAnotherKindIsRefused) {
  EXPECT_EQ(error_of([] { parse_array_location("a.txt"); }),
            "a.txt: unknown kind of file; expected FILE.npy, FILE.safetensors or FILE.safetensors:TENSOR");
  EXPECT_EQ(error_of([] { parse_array_location("a.npy:x"); }),
            "a.npy:x: unknown kind of file; expected FILE.npy, FILE.safetensors or FILE.safetensors:TENSOR");
  EXPECT_EQ(error_of([] { parse_array_location("m.safetensors:"); }), "m.safetensors: names no tensor after the colon");
}

}  // namespace
}  // namespace meshmul
