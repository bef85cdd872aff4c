#include "draw/base64.hpp"

#include <gtest/gtest.h>

namespace meshmul::drawing {
namespace {

TEST(Base64, WritesTheExamplesOfRfc4648) {
  EXPECT_EQ(base64_of_hexadecimal(""), "");
  EXPECT_EQ(base64_of_hexadecimal("66"), "Zg==");                // f
  EXPECT_EQ(base64_of_hexadecimal("666f"), "Zm8=");              // fo
  EXPECT_EQ(base64_of_hexadecimal("666f6f"), "Zm9v");            // foo
  EXPECT_EQ(base64_of_hexadecimal("666f6f62"), "Zm9vYg==");      // foob
  EXPECT_EQ(base64_of_hexadecimal("666F6F626172"), "Zm9vYmFy");  // foobar
}

TEST(Base64, UsesEverySign) {
  EXPECT_EQ(base64_of_hexadecimal(
                "00108310518720928b30d38f41149351559761969b71d79f8218a39259a7a29aabb2dbafc31cb3d35db7e39ebbf3dfbf"),
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
}

}  // namespace
}  // namespace meshmul::drawing
