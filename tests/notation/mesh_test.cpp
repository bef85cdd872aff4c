#include "meshmul/mesh.hpp"

#include <gmock/gmock.h>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;

TEST(Mesh, DeviceIdsAreRowMajor) {
  const Mesh mesh{{"X", 2}, {"Y", 3}};
  EXPECT_EQ(mesh.num_devices(), 6);
  EXPECT_EQ(mesh.device({1, 2}), 5);
  EXPECT_THAT(mesh.coordinates(4), ElementsAre(1, 1));
  EXPECT_EQ(mesh.coordinate(4, 1), 1);
  EXPECT_EQ(mesh.with_coordinate(4, 0, 0), 1);
}

TEST(Mesh, GroupsFollowTheAxesMajorToMinor) {
  const Mesh mesh{{"X", 2}, {"Y", 3}};
  EXPECT_THAT(mesh.group(4, {1}), ElementsAre(3, 4, 5));
  EXPECT_THAT(mesh.group(0, {1, 0}), ElementsAre(0, 3, 1, 4, 2, 5));
  for (int device = 0; device < 6; ++device)
    EXPECT_EQ(mesh.group(device, {1, 0})[static_cast<std::size_t>(mesh.group_index(device, {1, 0}))], device);
  EXPECT_THAT(mesh.group(4, {}), ElementsAre(4));
}

TEST(Mesh, TextFormParsesBack) {
  for (const char* text : {"X=4", "X=4,Y=2", "data=8,model=1,Z=3"}) EXPECT_EQ(parse_mesh(text).str(), text);
  EXPECT_EQ(parse_mesh("").num_devices(), 1);
  EXPECT_EQ(parse_mesh(" \t").num_axes(), 0);
  EXPECT_EQ(parse_mesh(" X = 4 ,\tY=2 ").str(), "X=4,Y=2");
}

TEST(Mesh, ErrorsSayWhatWasFoundAndExpected) {
  const auto report = [](const char* text) -> std::string {
    try {
      parse_mesh(text);
    } catch (const Error& error) {
      return error.report();
    }
    return "no error";
  };
  EXPECT_EQ(report("X"), "X\n ^ mesh axis X has no size; expected X=SIZE");
  EXPECT_EQ(report("X=4,X=2"), "X=4,X=2\n    ^ mesh axis X is named twice");
  EXPECT_EQ(report("X=0"), "X=0\n  ^ the size of mesh axis X is '0'; expected a whole number from 1 to 1048576");
  EXPECT_EQ(report("X=4,"), "X=4,\n    ^ expected a mesh axis such as X=4 after the comma; found none");
  EXPECT_EQ(report("X=4, "), "X=4, \n     ^ expected a mesh axis such as X=4 after the comma; found none");
  EXPECT_EQ(report("X=4,,Y=2"), "X=4,,Y=2\n    ^ expected a mesh axis such as X=4 after the comma; found none");
  EXPECT_EQ(report(",X=4"), ",X=4\n^ expected a mesh axis such as X=4 before the comma; found none");
  EXPECT_EQ(report("X, Y=2"), "X, Y=2\n ^ mesh axis X has no size; expected X=SIZE");
  EXPECT_EQ(report("X=4, Y = two"),
            "X=4, Y = two\n         ^ the size of mesh axis Y is 'two'; expected a whole number from 1 to 1048576");
  EXPECT_EQ(report("X_1=4"),
            "X_1=4\n^ expected a mesh axis such as X=4, its name of letters and digits; found 'X_1=4'");
  EXPECT_EQ(report("X=99999999999999999999"),
            "X=99999999999999999999\n  ^ the size of mesh axis X is '99999999999999999999'; expected a whole number "
            "from 1 to 1048576");
  EXPECT_EQ(report("X=1024,Y=2048"), "the mesh X=1024,Y=2048 has more than 1048576 devices");
}

TEST(Mesh, ConstructorRefusesWhatTextCouldNotSay) {
  const auto sentence = [](const std::vector<MeshAxis>& axes) -> std::string {
    try {
      const Mesh mesh(axes);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(sentence({{"X_1", 4}}), "mesh axis name 'X_1' must be letters and digits and begin with a letter");
  EXPECT_EQ(sentence({{"X", 0}}), "mesh axis X has size 0; expected at least 1");
  EXPECT_EQ(sentence({{"X", 4}, {"X", 2}}), "mesh axis X is named twice");
}

}  // namespace
}  // namespace meshmul
