// Options as data: what a declaration accepts, refuses, shows, and sets.
#include "option_table.hpp"

#include <gmock/gmock.h>
#include <CLI/CLI.hpp>

namespace firth::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

enum class Colour { red, green };

// One option of every kind.
struct Values {
  std::string input;
  bool quiet = false;
  std::uint32_t classes = 100;
  std::optional<std::uint32_t> end;
  std::uint64_t window = 0;
  double share = 0.5;
  std::uint64_t memory = 0;
  double seconds = 0;
  std::vector<std::uint32_t> cuts = {4, 6};
  Colour colour = Colour::green;
  int column = 0;

  void declare(OptionTable& table) {
    table.positional("TEXT", input, "The text.");
    table.flag("-q,--quiet", quiet, "Say nothing.");
    table.group("Numbers");
    table.number<std::uint32_t>("-c,--classes", "K", classes, {1, 1000}, "Number of classes.");
    table.field_of_last("SomeOptions::classes");
    table.optional_number<std::uint32_t>("--end", "ID", end, {0, 9}, "The end.");
    table.number_or<std::uint64_t>("--window", "W", window, {1, 50}, {"all", 99}, "The window.");
    table.real("--share", "S", share, {0, 1}, "A share.");
    table.size("--memory", memory, "Memory.");
    table.duration("--time", seconds, "Time.");
    table.numbers<std::uint32_t>("--cuts", "K,K", cuts, {1, 10}, "Cuts.");
    table.choice("--colour", colour, {{"red", Colour::red}, {"green", Colour::green}}, "The colour.");
    table.column("--column", column, "A column.");
  }
};

class OptionTableTest : public ::testing::Test {
 protected:
  OptionTableTest() { values_.declare(table_); }

  // The complaint, "" if there is none.
  std::string parse(std::vector<std::string> words) {
    words.push_back("text.txt");
    std::reverse(words.begin(), words.end());
    try {
      app_.parse(words);
    } catch (const CLI::Error& problem) {
      return problem.what();
    }
    return "";
  }

  CLI::App app_;
  OptionTable table_{app_};
  Values values_;
};

TEST_F(OptionTableTest, SetsTheFields) {
  ASSERT_EQ(parse({"-q", "--classes", "7", "--end", "3", "--window", "all", "--share", "0.25", "--memory",
                   "3M", "--time", "2m", "--cuts", "1,10", "--colour", "red", "--column", "-1"}),
            "");
  EXPECT_EQ(values_.input, "text.txt");
  EXPECT_TRUE(values_.quiet);
  EXPECT_EQ(values_.classes, 7U);
  EXPECT_EQ(values_.end, 3U);
  EXPECT_EQ(values_.window, 99U);
  EXPECT_EQ(values_.share, 0.25);
  EXPECT_EQ(values_.memory, std::uint64_t{3} << 20);
  EXPECT_EQ(values_.seconds, 120);
  EXPECT_THAT(values_.cuts, ElementsAre(1, 10));
  EXPECT_EQ(values_.colour, Colour::red);
  EXPECT_EQ(values_.column, -1);
}

TEST_F(OptionTableTest, LeavesDefaultsWhereNothingWasSaid) {
  ASSERT_EQ(parse({}), "");
  EXPECT_EQ(values_.classes, 100U);
  EXPECT_FALSE(values_.end.has_value());
  EXPECT_THAT(values_.cuts, ElementsAre(4, 6));
  EXPECT_EQ(values_.colour, Colour::green);
}

TEST_F(OptionTableTest, TheLastOfTwoCounts) {
  ASSERT_EQ(parse({"-c", "5", "--classes", "6"}), "");
  EXPECT_EQ(values_.classes, 6U);
}

TEST_F(OptionTableTest, RefusesWhatIsOutOfRangeAndSaysWhatIsExpected) {
  EXPECT_THAT(parse({"-c", "0"}), HasSubstr("'0' is not a whole number from 1 to 1000"));
  EXPECT_THAT(parse({"-c", "1001"}), HasSubstr("'1001' is not"));
  EXPECT_THAT(parse({"--classes=-3"}), HasSubstr("'-3' is not"));
  EXPECT_THAT(parse({"-c", "7x"}), HasSubstr("'7x' is not"));
  EXPECT_THAT(parse({"-c", "18446744073709551616"}), HasSubstr("is not a whole number"));
  EXPECT_THAT(parse({"--end", "10"}), HasSubstr("from 0 to 9"));
  EXPECT_THAT(parse({"--window", "some"}), HasSubstr("'some'"));
  EXPECT_NE(parse({"--share", "1.5"}), "");
  EXPECT_NE(parse({"--share", "nan"}), "");
  EXPECT_THAT(parse({"--memory", "3Q"}), HasSubstr("a size such as 512M"));
  EXPECT_THAT(parse({"--memory", "99999999999T"}), HasSubstr("a size such as 512M"));
  EXPECT_THAT(parse({"--time", "2 weeks"}), HasSubstr("a time such as"));
  EXPECT_NE(parse({"--cuts", "1,11"}), "");
  EXPECT_NE(parse({"--cuts", "1,,2"}), "");
  EXPECT_THAT(parse({"--colour", "blue"}), HasSubstr("blue"));
  EXPECT_NE(parse({"--column", "0"}), "");
  EXPECT_NE(parse({"--no-such-option"}), "");
}

TEST_F(OptionTableTest, KnowsWhatHelpAndRecordsNeed) {
  ASSERT_EQ(parse({"--classes", "7", "--colour", "red"}), "");
  const auto info = [this](const std::string& names) {
    for (const OptionInfo& one : table_.infos()) {
      if (one.names == names) return one;
    }
    return OptionInfo{};
  };
  EXPECT_EQ(info("-c,--classes").group, "Numbers");
  EXPECT_EQ(info("-c,--classes").default_text, "100");
  EXPECT_EQ(info("-c,--classes").field, "SomeOptions::classes");
  EXPECT_TRUE(info("-c,--classes").given());
  EXPECT_FALSE(info("--share").given());
  EXPECT_EQ(info("--colour").value, "red|green");
  EXPECT_EQ(info("--colour").default_text, "green");
  EXPECT_TRUE(info("TEXT").required());
  EXPECT_THAT(table_.given_in_group("Numbers"), ElementsAre("-c,--classes", "--colour"));
  EXPECT_THAT(table_.values(), ::testing::Contains(Pair("--classes", "7")));
  EXPECT_THAT(table_.values(), ::testing::Contains(Pair("--cuts", "4,6")));
}

}  // namespace
}  // namespace firth::cli
