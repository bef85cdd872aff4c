#include "base/einsum.hpp"

#include <gmock/gmock.h>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

/// The report, of which the second line has the caret.
std::string report_of(std::string_view text) {
  try {
    return "read as " + parse_einsum(text).str();
  } catch (const Error& error) {
    return error.report();
  }
}

TEST(Einsum, prints_what_it_reads) {
  for (const char* text : {"ij,jk->ik", "bij,bjk->bik", "i,j->ji", "i,i->", ",->"})
    EXPECT_EQ(parse_einsum(text).str(), text);
}

TEST(Einsum, refuses_what_is_none_with_its_place) {
  EXPECT_EQ(report_of("ij->ik"), "ij->ik\n^ einsum 'ij->ik' is not of the form 'ij,jk->ik'");
  EXPECT_EQ(report_of("i2,jk->ik"), "i2,jk->ik\n ^ '2' in an einsum is not a letter");
  EXPECT_EQ(report_of("ij,jj->i"), "ij,jj->i\n    ^ index j stands twice in 'jj'");
}

}  // namespace
}  // namespace meshmul
