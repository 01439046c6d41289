// Files of tokens in every format: read with tags, and turned into features. The first byte chooses.
#include <string>
#include <vector>

#include "firth/error.hpp"
#include "firth/tag_scores.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const firth::Clustering classes =
      firth::parse_clustering("00\tthe\t5\n01\tcat\t4\n1\tRome\t3\n", "paths");
  if (size == 0) return 0;
  const auto files = firth::Inputs::from_text({reinterpret_cast<const char*>(data) + 1, size - 1});
  firth::TokenOptions tokens;
  tokens.format = static_cast<firth::TokenFormat>(data[0] & 3U);
  tokens.invalid_utf8 = (data[0] & 4U) != 0 ? firth::InvalidUtf8::replace : firth::InvalidUtf8::error;
  try {
    if ((data[0] & 8U) != 0) {
      const auto sentences = firth::read_tagged(files, tokens, {});
      for (const firth::TaggedSentence& sentence : sentences) {
        if (sentence.words.size() != sentence.tags.size() || sentence.words.empty()) std::abort();
        for (const firth::TagSpan& span : firth::entity_spans(sentence.tags)) {
          if (span.begin >= span.end || span.end > sentence.tags.size()) std::abort();
        }
      }
    } else {
      firth::FeatureFileOptions options;
      options.tokens = tokens;
      options.format = static_cast<firth::FeatureFormat>((data[0] >> 4U) & 3U);
      options.window = 1;
      firth::write_features(classes, files, options, [](std::string_view) {});
    }
  } catch (const firth::Error&) {
    return 0;
  }
  return 0;
}
