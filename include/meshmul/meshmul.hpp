#pragma once
// Everything that a user of the library includes.

#include "meshmul/array_file.hpp"
#include "meshmul/check.hpp"
#include "meshmul/collectives.hpp"
#include "meshmul/compile.hpp"
#include "meshmul/error.hpp"
#include "meshmul/execute.hpp"
#include "meshmul/hardware.hpp"
#include "meshmul/layout.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/mesh.hpp"
#include "meshmul/plan.hpp"
#include "meshmul/random.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/statement.hpp"
#include "meshmul/verify.hpp"
#include "meshmul/world.hpp"
