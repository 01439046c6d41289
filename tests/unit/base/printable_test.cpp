#include "firth/printable.hpp"

#include <gmock/gmock.h>

#include "firth/error.hpp"

namespace firth {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Printable, EscapesWhatATerminalObeys) {
  EXPECT_EQ(printable("plain \xc3\xa4\xe4\xb8\xad\xf0\x9f\x98\x80 text"),
            "plain \xc3\xa4\xe4\xb8\xad\xf0\x9f\x98\x80 text");
  EXPECT_EQ(printable("a\x1b[2J\x07\x7f"), "a\\x1b[2J\\x07\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"), "\\u009b");
  EXPECT_EQ(printable("\xc2\xa0"), "\xc2\xa0");
  EXPECT_EQ(printable("line\n\ttab\r"), "line\n\ttab\\x0d");
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(printable(std::string(1, '\0')), "\\x00");
}

TEST(Shown, IsShortAndOnOneLine) {
  EXPECT_EQ(shown("a\tb\nc"), "a\\tb\\nc");
  EXPECT_EQ(shown(std::string(60, 'x')), std::string(60, 'x'));
  EXPECT_EQ(shown(std::string(61, 'x')), std::string(60, 'x') + "...");
  std::string wide;
  for (int i = 0; i < 100; ++i) wide += "\xe4\xb8\xad";
  EXPECT_EQ(shown(wide), wide.substr(0, 180) + "...");
  EXPECT_EQ(shown(shown(std::string(100, 'x'))), shown(std::string(100, 'x')));
}

TEST(MessageText, ShortensQuotationsOnly) {
  const std::string plain =
      "Firth's own words may be long, and they stay as long as they are, even with somebody's apostrophes";
  EXPECT_EQ(message_text(plain), plain);
  const std::string field(1000, 'x');
  EXPECT_EQ(message_text("'" + field + "' is not a count"), "'" + shown(field) + "' is not a count");
  EXPECT_EQ(message_text("word '" + field + "' is in class '" + field + "' already"),
            "word '" + shown(field) + "' is in class '" + shown(field) + "' already");
  EXPECT_EQ(message_text("'it's' is fine"), "'it's' is fine");
  EXPECT_LT(message_text("'" + field).size(), 100u);
  EXPECT_LT(message_text(std::string(1 << 20, '\'')).size(), 3000u);
  EXPECT_LT(message_text(std::string(1 << 20, 'x')).size(), 3000u);
}

TEST(MessageText, IsWhatErrorsSay) {
  const InputError error({"odd\x1b[2Jname", 3}, "'" + std::string(1000, '\x1b') + "' is not a count");
  EXPECT_THAT(error.what(), HasSubstr("odd\\x1b[2Jname:3: '\\x1b"));
  EXPECT_THAT(error.what(), Not(HasSubstr("\x1b")));
  EXPECT_LT(std::string(error.what()).size(), 400u);
  EXPECT_EQ(error.where().path, "odd\x1b[2Jname");
}

}  // namespace
}  // namespace firth
