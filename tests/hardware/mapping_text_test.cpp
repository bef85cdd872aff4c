// Mappings as text: what is wrong is marked where it stands.
#include <gmock/gmock.h>

#include "meshmul/error.hpp"
#include "meshmul/topology.hpp"

namespace meshmul {
namespace {

/// The error with its line and caret.
std::string report_of(const std::string& text, const std::string& mesh, const std::string& hardware) {
  try {
    parse_mapping(text, parse_mesh(mesh), find_hardware(hardware), TopologyRule::kSlice);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.report();
  }
  return "no error";
}

TEST(MappingText, NamesHardwareAxesMajorToMinor) {
  const Mesh mesh{{"X", 16}, {"Y", 4}, {"Z", 1}};
  const Hardware hardware = find_hardware("v4p:4x4x4");
  const Mapping mapping = parse_mapping(" X = ring( 2 + 0 ) , Y=1", mesh, hardware, TopologyRule::kSlice);
  EXPECT_EQ(mapping, (Mapping{{{{2, 0}, true}, {{1}, false}, {{}, false}}}));
  EXPECT_EQ(to_string(mapping, mesh), "X=ring(2+0),Y=1");
}

TEST(MappingText, AxesMayComeInAnyOrderAndThoseOfSize1MayBeLeftOut) {
  const Mesh mesh{{"X", 4}, {"ring", 4}};
  const Hardware hardware = find_hardware("v5e:4x4");
  EXPECT_EQ(to_string(parse_mapping("ring=1,X=0", mesh, hardware, TopologyRule::kSlice), mesh), "X=0,ring=1");
  EXPECT_EQ(parse_mapping("", Mesh{{"X", 1}}, find_hardware("v5e:1x1"), TopologyRule::kSlice),
            (Mapping{{AxisMapping{}}}));
}

TEST(MappingText, WithoutASliceTheOnlyOneThatFitsIsMeant) {
  const Mesh mesh{{"X", 4}, {"Y", 4}};
  EXPECT_NO_THROW(parse_mapping("X=1,Y=0", mesh, find_hardware("v5e"), TopologyRule::kSlice));
  EXPECT_NO_THROW(parse_mapping("X=0+1,Y=1", mesh, find_hardware("h100"), TopologyRule::kSlice));
}

struct Wrong {
  std::string text, mesh, hardware, report;
};

TEST(MappingText, WhatIsWrongIsMarked) {
  const std::vector<Wrong> cases = {
      {"X=0,Q=1", "X=4,Y=4", "v5e:4x4", "X=0,Q=1\n    ^ the mesh X=4,Y=4 has no axis Q"},
      {"X=0,X=1", "X=4,Y=4", "v5e:4x4", "X=0,X=1\n    ^ mesh axis X is mapped twice"},
      {"X=0", "X=4,Y=4", "v5e:4x4", "X=0\n   ^ mesh axis Y=4 has no place; expected a mapping such as X=0,Y=1"},
      {"", "X=4,Y=4", "v5e:4x4", "\n^ mesh axis X=4 has no place; expected a mapping such as X=0,Y=1"},
      {"X=0,Y=2", "X=4,Y=4", "v5e:4x4",
       "X=0,Y=2\n      ^ the slice 4x4 has no hardware axis 2; expected a mapping such as X=0,Y=1"},
      {"X=0,Y=0", "X=4,Y=4", "v5e:4x4",
       "X=0,Y=0\n      ^ hardware axis 0 is that of mesh axis X; an axis of a torus is never shared; expected a "
       "mapping such as X=0,Y=1"},
      {"X=0+0,Y=1", "X=4,Y=4", "v5e:4x4",
       "X=0+0,Y=1\n    ^ hardware axis 0 stands here twice; expected a mapping such as X=0,Y=1"},
      {"X=0+1,Y=2", "X=4,Y=4", "v5e:4x4",
       "X=0+1,Y=2\n        ^ the slice 4x4 has no hardware axis 2; expected a mapping such as X=0,Y=1"},
      {"X=1,Y=0", "X=4,Y=8", "v5e:4x8",
       "X=1,Y=0\n^ mesh axis X has 4 devices, but hardware axis 1 of the slice 4x8 has 8; expected a mapping such as "
       "X=0,Y=1"},
      {"X=0+1,Y=2", "X=8,Y=8", "v5p:4x4x4",
       "X=0+1,Y=2\n^ mesh axis X has 8 devices, but hardware axes 0+1 of the slice 4x4x4 have 16; no mapping lays "
       "X=8,Y=8 on a slice 4x4x4"},
      {"X=ring(0),Y=1", "X=4,Y=4", "v5e:4x4",
       "X=ring(0),Y=1\n^ no cycle leads once through all devices of a line of 4: it takes an even number of them on "
       "two or more axes, or an axis that wraps; expected a mapping such as X=0,Y=1"},
      {"X=ring(0+1)", "X=9", "v3:3x3",
       "X=ring(0+1)\n^ no cycle leads once through all devices of 3x3: it takes an even number of them on two or more "
       "axes, or an axis that wraps; expected a mapping such as X=0+1"},
      {"X=ring(0+1", "X=16", "v5e:4x4",
       "X=ring(0+1\n          ^ expected `+` and a hardware axis, or `)`; the text ends here"},
      {"X=ring 0", "X=16", "v5e:4x4", "X=ring 0\n       ^ expected `(` and the hardware axes of the cycle; found '0'"},
      {"X:0", "X=16", "v5e:4x4", "X:0\n ^ expected `=` and the hardware axes of X; found ':'"},
      {"X=0 Y=1", "X=4,Y=4", "v5e:4x4", "X=0 Y=1\n    ^ expected `,` or the end; found 'Y'"},
      {"X=0+,Y=1", "X=4,Y=4", "v5e:4x4", "X=0+,Y=1\n    ^ expected the number of a hardware axis; found ','"},
      {"X=99999999999,Y=1", "X=4,Y=4", "v5e:4x4",
       "X=99999999999,Y=1\n  ^ expected the number of a hardware axis; found '99999999999'"},
      {"3=0", "X=16", "v5e:4x4", "3=0\n^ expected a mesh axis, as in X=0+1; found '3'"},
      {"X=2,Y=1", "X=2,Y=8", "h100:2x8",
       "X=2,Y=1\n  ^ a switch has no hardware axis 2: 0 are its nodes, 1 the devices of a node; expected a mapping "
       "such as X=0,Y=1"},
      {"X=ring(0+1),Y=1", "X=2,Y=8", "h100:2x8",
       "X=ring(0+1),Y=1\n^ a switch has no cycles; expected a mapping such as X=0,Y=1"},
      {"X=1,Y=0", "X=2,Y=8", "h100:2x8",
       "X=1,Y=0\n^ so the mesh X=2,Y=8 has 2 devices in each of 8 nodes; the slice 2x8 has 8 in each of 2; expected a "
       "mapping such as X=0,Y=1"},
      {"X=0,Y=1", "X=16,Y=16", "v5p",
       "a mapping names the axes of a slice; expected hardware with one: v5p:4x4x16 or v5p:4x8x8"},
  };
  for (const Wrong& wrong : cases)
    EXPECT_EQ(report_of(wrong.text, wrong.mesh, wrong.hardware), wrong.report) << wrong.text << ' ' << wrong.mesh;
}

}  // namespace
}  // namespace meshmul
