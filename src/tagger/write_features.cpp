#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "firth/error.hpp"
#include "firth/features.hpp"
#include "tagger/sentence_stream.hpp"
#include "tagger/token_output.hpp"
#include "tagger/word_features.hpp"
#include "text/characters.hpp"
#include "text/conllu.hpp"
#include "text/token_reader.hpp"

namespace firth {
namespace tagger {
namespace {

constexpr int kMaxWindow = 5;
using text::kConlluColumns;
using text::TokenLine;
using text::TokenSentence;

/// CRFsuite separates a feature from its weight by a colon.
std::string crfsuite_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == ':' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

class FeatureWriter {
 public:
  FeatureWriter(const Clustering& classes, const FeatureFileOptions& options)
      : options_(options), classes_(classes, options.features, options.window) {}

  void write(const TokenSentence& sentence, TokenFormat format, std::string& out) {
    sentence.words(words_);
    features_ = classes_.all_of(words_);
    if (options_.format == FeatureFormat::jsonl) return write_json(sentence, out);
    std::size_t token = 0;
    for (const TokenLine& line : sentence.lines) {
      if (line.is_token()) {
        write_token(sentence, line, token++, format, out);
      } else if (options_.format == FeatureFormat::conllu && format == TokenFormat::conllu) {
        out += sentence.part(line.line);
        out += '\n';
      }
    }
    if (token > 0) out += '\n';
  }

 private:
  /// Calls use(name, value) for every feature of a word; value is empty where there is none.
  template <typename Use>
  void for_each_feature(std::size_t token, const Use& use) const {
    for (const ClassFeature& feature : features_[token]) use(feature.name, feature.value);
  }

  void write_token(const TokenSentence& sentence, const TokenLine& line, std::size_t token,
                   TokenFormat format, std::string& out) const {
    switch (options_.format) {
      case FeatureFormat::crfsuite:
        write_crfsuite(sentence, line, token, out);
        break;
      case FeatureFormat::crfpp:
        write_crfpp(sentence, line, token, out);
        break;
      default:
        write_conllu(sentence, line, token, format, out);
    }
    out += '\n';
  }

  void write_crfsuite(const TokenSentence& sentence, const TokenLine& line, std::size_t token,
                      std::string& out) const {
    out += line.tag.size > 0 ? sentence.part(line.tag) : "O";
    if (options_.words) out += "\tw[0]=" + crfsuite_escaped(words_[token]);
    if (options_.shapes) out += "\tshape[0]=" + crfsuite_escaped(tagger::word_shape(words_[token]));
    for_each_feature(token, [&](std::string_view name, std::string_view value) {
      if (!value.empty()) out += fmt::format("\t{}={}", name, value);
    });
  }

  /// The tag comes last.
  void write_crfpp(const TokenSentence& sentence, const TokenLine& line, std::size_t token,
                   std::string& out) const {
    const std::string_view columns = sentence.part(line.line);
    const bool tagged = line.tag.size > 0;
    std::size_t end = tagged ? line.tag_column.begin : columns.size();
    while (end > 0 && text::is_space(columns[end - 1])) --end;
    out += columns.substr(0, end);
    if (tagged) out += columns.substr(line.tag_column.begin + line.tag_column.size);
    for_each_feature(token, [&](std::string_view, std::string_view value) {
      out += '\t';
      out += value.empty() ? "_" : value;
    });
    if (tagged) out += fmt::format("\t{}", sentence.part(line.tag));
  }

  void write_conllu(const TokenSentence& sentence, const TokenLine& line, std::size_t token,
                    TokenFormat format, std::string& out) const {
    std::string attributes;
    for_each_feature(token, [&](std::string_view name, std::string_view value) {
      if (!value.empty()) attributes += fmt::format("{}{}={}", attributes.empty() ? "" : "|", name, value);
    });
    if (format == TokenFormat::conllu) return add_misc(sentence.part(line.line), attributes, out);
    out += fmt::format("{}\t{}", token + 1, words_[token]);
    for (std::size_t column = 2; column + 1 < kConlluColumns; ++column) {
      const bool is_tag = column == text::kConlluXpos && line.tag.size > 0;
      out += fmt::format("\t{}", is_tag ? sentence.part(line.tag) : "_");
    }
    out += '\t';
    out += attributes.empty() ? "_" : attributes;
  }

  void write_json(const TokenSentence& sentence, std::string& out) const {
    if (words_.empty()) return;
    nlohmann::ordered_json json;
    json["words"] = words_;
    for (const TokenLine& line : sentence.lines) {
      if (line.is_token() && line.tag.size > 0) json["tags"].push_back(sentence.part(line.tag));
    }
    json["features"] = nlohmann::ordered_json::array();
    for (std::size_t token = 0; token < words_.size(); ++token) {
      nlohmann::ordered_json features = nlohmann::ordered_json::object();
      if (options_.words) features["w[0]"] = words_[token];
      if (options_.shapes) features["shape[0]"] = tagger::word_shape(words_[token]);
      for_each_feature(token, [&](std::string_view name, std::string_view value) {
        if (!value.empty()) features[std::string(name)] = value;
      });
      json["features"].push_back(std::move(features));
    }
    out += json.dump();
    out += '\n';
  }

  const FeatureFileOptions& options_;
  ClassFeatures classes_;
  std::vector<std::string_view> words_;
  std::vector<std::vector<ClassFeature>> features_;  ///< of words_
};

}  // namespace
}  // namespace tagger

void validate(const FeatureFileOptions& options) {
  validate(options.features);
  if (options.window < 0 || options.window > tagger::kMaxWindow) {
    throw UsageError(fmt::format("a window of {}", options.window), "give 0 to 5 neighbours to each side",
                     "FeatureFileOptions::window");
  }
}

void write_features(const Clustering& classes, const Inputs& inputs, const FeatureFileOptions& options,
                    const std::function<void(std::string_view)>& put, const RunOptions& run) {
  validate(options);
  text::ReadColumns columns = text::ReadColumns::words;
  if (options.tags)
    columns = options.tokens.tag_column != 0 ? text::ReadColumns::tags : text::ReadColumns::any_tags;
  text::TokenReader reader(inputs, options.tokens, columns, run);
  tagger::FeatureWriter writer(classes, options);
  tagger::write_sentences(
      reader, "features", run,
      [&](const text::TokenSentence& sentence, std::string& out) {
        writer.write(sentence, reader.format(), out);
      },
      put);
}

}  // namespace firth
