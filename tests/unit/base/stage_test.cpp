#include "base/stage.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace firth::base {
namespace {

/// Writes down what it is told.
class Log final : public ProgressSink {
 public:
  void begin(std::string_view stage, std::string_view unit, std::uint64_t total) override {
    text += "begin " + std::string(stage) + " " + std::string(unit) + " " + std::to_string(total) + "\n";
  }
  void advance(std::uint64_t done, std::string_view note) override {
    text += "advance " + std::to_string(done) + " " + std::string(note) + "\n";
  }
  void end() override {
    text += "end\n";
    if (throws_at_end) throw std::runtime_error("sink");
  }
  void warn(std::string_view message) override { text += "warn " + std::string(message) + "\n"; }

  std::string text;
  bool throws_at_end = false;
};

TEST(Stage, BeginsAdvancesAndEnds) {
  Log log;
  {
    const Stage stage({.progress = &log}, "reading", "bytes", 10);
    stage.advance(5);
    stage.advance(10, [] { return std::string("done"); });
  }
  EXPECT_EQ(log.text, "begin reading bytes 10\nadvance 5 \nadvance 10 done\nend\n");
}

TEST(Stage, EndsWhenAnExceptionPasses) {
  Log log;
  const auto work = [&] {
    const Stage stage({.progress = &log}, "work");
    throw std::runtime_error("broken");
  };
  EXPECT_THROW(work(), std::runtime_error);
  EXPECT_EQ(log.text, "begin work  0\nend\n");
}

TEST(Stage, EndsOnce) {
  Log log;
  {
    Stage stage({.progress = &log}, "work");
    stage.end();
    stage.end();
    stage.advance(3);
  }
  EXPECT_EQ(log.text, "begin work  0\nend\n");
}

TEST(Stage, ASinkThatThrowsDoesNotHideTheFirstError) {
  Log log;
  log.throws_at_end = true;
  const auto work = [&] {
    const Stage stage({.progress = &log}, "work");
    throw std::logic_error("the error");
  };
  EXPECT_THROW(work(), std::logic_error);
}

TEST(Stage, WithoutASinkNoNoteIsMade) {
  bool made = false;
  const RunOptions silent;
  Stage stage(silent, "work");
  const auto note = [&] {
    made = true;
    return std::string();
  };
  stage.advance(1, note);
  advance_stage(silent, 1, note);
  warn(silent, "nobody hears it");
  stage.end();
  EXPECT_FALSE(made);
}

}  // namespace
}  // namespace firth::base
