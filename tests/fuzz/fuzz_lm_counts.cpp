// Files of n-grams: the bytes as they are, and bytes whose checksums were made right. The first byte chooses.
#include <string>
#include <vector>

#include "firth/lm_counts.hpp"
#include "lm_harness.hpp"
#include "repair_checksums.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return firth::fuzz::try_file(data, size, [](const std::string& path) {
    const std::vector<std::string> twice = {path, path};
    const firth::LmCounts counts = firth::load_lm_counts(twice);
    firth::LmTrainOptions options;
    options.order = counts.info().order;
    firth::fuzz::use(firth::train_word_lm(counts, firth::VocabularyOptions{}, options, {.threads = 1}));
  });
}
