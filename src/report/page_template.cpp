#include "report/page_template.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "cluster/io/page_sections.hpp"
#include "report/page_files.hpp"
#include "text/utf8.hpp"

namespace firth::report {
namespace {

constexpr std::size_t kMaxPlainBytes = 100;

}  // namespace

std::string shortened(std::string_view word, std::size_t max_bytes) {
  if (word.size() <= max_bytes) return std::string(word);
  std::size_t end = max_bytes;
  while (end > 0 && (static_cast<unsigned char>(word[end]) & 0xC0) == 0x80) --end;  // within a character
  return fmt::format("{}...", word.substr(0, end));
}

std::string escape_html(std::string_view text) {
  const std::string sound = text::replace_invalid(text);
  std::string result;
  for (const char byte : sound) {
    const auto code = static_cast<unsigned char>(byte);
    if (byte == '<') {
      result += "&lt;";
    } else if (byte == '>') {
      result += "&gt;";
    } else if (byte == '&') {
      result += "&amp;";
    } else if (byte == '"') {
      result += "&quot;";
    } else if (code < 32 || code == 127) {
      result += "\xEF\xBF\xBD";
    } else {
      result += byte;
    }
  }
  return result;
}

std::string fill_template(const PageParts& parts) {
  const std::string data =
      fmt::format("{}{}{}", clusters::kPageDataBegin, parts.data, clusters::kPageDataEnd);
  const std::string title = escape_html(parts.title);
  const std::string summary = escape_html(parts.summary);
  const std::array<std::pair<std::string_view, std::string_view>, 8> values = {
      {{"title", title},
       {"summary", summary},
       {"plain", parts.plain},
       {"data", data},
       {"style", page_style()},
       {"style_hash", page_style_hash()},
       {"script", page_script()},
       {"script_hash", page_script_hash()}}};
  std::string page;
  std::string_view rest = page_markup();
  for (std::size_t mark = rest.find("{{"); mark != std::string_view::npos; mark = rest.find("{{")) {
    page += rest.substr(0, mark);
    const std::size_t end = rest.find("}}", mark);
    const std::string_view name = rest.substr(mark + 2, end - mark - 2);
    page += std::find_if(values.begin(), values.end(), [&](const auto& value) {
              return value.first == name;
            })->second;
    rest.remove_prefix(end + 2);
  }
  return page += rest;
}

std::string plain_list(const Clustering& clustering, std::size_t max_words) {
  std::vector<std::string> classes(clustering.class_count());
  for (WordId word = 0; word < std::min(max_words, clustering.word_count()); ++word) {
    std::string& line = classes[clustering.class_of(word)];
    line += fmt::format(" <bdi>{}</bdi>",
                        escape_html(shortened(clustering.vocabulary().word(word), kMaxPlainBytes)));
  }
  std::string html;
  for (ClassId id = 0; id < classes.size(); ++id) {
    if (!classes[id].empty()) html += fmt::format("<p><b>{}</b>{}</p>\n", id, classes[id]);
  }
  return html;
}

}  // namespace firth::report
