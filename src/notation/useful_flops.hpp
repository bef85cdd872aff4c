#pragma once
// How much arithmetic a statement or a program asks for, however it is done.

#include "meshmul/program.hpp"
#include "meshmul/statement.hpp"

namespace meshmul {

/// Multiplications and additions of a product, each once: 2 M N K of matrices. 0 for other statements. Every size is known.
double useful_flops(const Statement& statement);
/// Of all products, those of loops as often as they are done.
double useful_flops(const Program& program);

}  // namespace meshmul
