#pragma once
// Checks a property on random cases of rapidcheck, from a fixed seed; a case that fails is shrunk and printed.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/detail/TestListenerAdapter.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>

namespace meshmul::testing {

/// `property` takes or draws its case by rapidcheck's generators and asserts by RC_ASSERT. Sanitizers run a part of
/// `cases`.
template <class Property>
void check_property(int cases, Property property) {
  rc::detail::TestParams params;
  params.seed = 1;
  params.maxSuccess = std::max(cases / MESHMUL_RANDOM_CASE_DIVISOR, 1);
  rc::detail::TestListenerAdapter silent;
  const std::unordered_map<std::string, rc::detail::Reproduce> nothing_to_reproduce;
  const auto result =
      rc::detail::checkTestable(std::move(property), rc::detail::TestMetadata{}, params, silent, nothing_to_reproduce);
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  EXPECT_TRUE(result.template is<rc::detail::SuccessResult>()) << message.str();
}

}  // namespace meshmul::testing
