// The record of a run as a file; docs/formats.md describes it, and formats.run_json holds the command to that.
#include "firth/run_record.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "firth/build_info.hpp"
#include "firth/error.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

TEST(RunRecordFile, HasEverythingOfTheRecord) {
  const testing::TempFolder folder;
  RunRecord record;
  record.command = "my_program";
  record.options = {{"classes", "20"}, {"odd", "\xff\"\n"}};
  record.inputs = describe_inputs(folder.write("text", "a b\n"));
  record.figures = {{"ami_bits", 1.5}, {"unknown", std::numeric_limits<double>::quiet_NaN()}};
  record.stages = {{"reading", 0.25, 4096}};
  record.iterations = {{"pass 1", 20, 7, 1.25, 0.5}};
  record.series = {{"values", {1, 0.5}}};
  save_run_record(folder.file("run.json"), record);
  const auto json = nlohmann::json::parse(testing::read_file(folder.file("run.json")));
  EXPECT_EQ(json.at("command"), "my_program");
  EXPECT_EQ(json.at("options").at("classes"), "20");
  EXPECT_EQ(json.at("inputs").at(0).at("bytes"), 4);
  EXPECT_EQ(json.at("inputs").at(0).at("path"), folder.file("text"));
  EXPECT_EQ(json.dump().find("nan"), std::string::npos);
  EXPECT_NE(json.dump().find(build_info().version), std::string::npos);
  EXPECT_NE(json.dump().find("pass 1"), std::string::npos);
  EXPECT_NE(json.dump().find("reading"), std::string::npos);
}

TEST(RunRecordFile, IsCompleteOrNotThere) {
  const testing::TempFolder folder;
  EXPECT_THROW(save_run_record(folder.file("missing/run.json"), {}), IoError);
  EXPECT_FALSE(std::filesystem::exists(folder.file("missing")));
}

}  // namespace
}  // namespace firth
