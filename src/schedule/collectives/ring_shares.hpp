#pragma once
// How large the parts are of a collective over several axes.

#include <vector>

namespace meshmul {

/// The shares of the parts, of which part p goes round axis p first, then p + 1, …, with which the links of all axes carry
/// alike; they sum to 1. For axes of one size they are equal. `sizes` of the axes, each at least 2. Over two axes of X and Y
/// devices they are as X Y + 1 - 2 Y to X Y + 1 - 2 X.
std::vector<double> balanced_shares(const std::vector<int>& sizes);

}  // namespace meshmul
