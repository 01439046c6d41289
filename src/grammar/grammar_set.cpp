// Several grammars in one file, and the recipes that make them.
#include <algorithm>
#include <cstring>
#include <utility>

#include "base/files.hpp"
#include "base/section_file.hpp"
#include "firth/error.hpp"
#include "firth/lpcfg.hpp"
#include "grammar/model_file.hpp"

namespace firth {
namespace {

constexpr base::FileKind kSetFile = {{'\x89', 'F', 'P', 'S', '\x20', '\r', '\n', '\x1a'},
                                     1,
                                     "set of grammars",
                                     "copy it again, or train it again with train_lpcfg()"};
constexpr std::uint32_t kNumber = 1;   // of grammars
constexpr std::uint32_t kGrammar = 2;  // the bytes of one

bool is_set(std::span<const std::byte> bytes) {
  return bytes.size() >= kSetFile.magic.size() &&
         std::memcmp(bytes.data(), kSetFile.magic.data(), kSetFile.magic.size()) == 0;
}

}  // namespace

std::vector<LpcfgTrainOptions> grammar_recipe(GrammarRecipe recipe, const LpcfgTrainOptions& words) {
  LpcfgTrainOptions usual = recommended_training();
  usual.lexicon = words.lexicon;
  usual.clusters = words.clusters;
  usual.checkpoint = words.checkpoint;
  if (recipe == GrammarRecipe::fast) return {usual};
  if (recipe == GrammarRecipe::spectral) {
    usual.algorithm = LpcfgAlgorithm::spectral;
    return {usual};
  }
  usual.latent.grammars = 2;
  LpcfgTrainOptions flat = usual;
  flat.binarize.vertical = 1;
  LpcfgTrainOptions right = usual;
  right.binarize.branching = TreeBranching::right;
  return {usual, flat, right};
}

void save_grammars(const std::string& path, std::span<const Lpcfg> grammars) {
  if (grammars.empty() || grammars.size() > grammar::kMaxGrammars) {
    throw UsageError("a file holds 1 to 64 grammars");
  }
  if (grammars.size() == 1) return save_lpcfg(path, grammars.front());
  std::vector<std::string> bytes;
  for (const Lpcfg& grammar : grammars) bytes.push_back(grammar.to_bytes());
  const std::uint64_t number = bytes.size();
  std::vector<base::Section> sections = {base::make_section(kNumber, std::span(&number, 1))};
  for (const std::string& one : bytes) sections.push_back(base::make_section(kGrammar, one));
  base::write_sections(path, kSetFile, sections);
}

std::vector<Lpcfg> load_grammars(const std::string& path) {
  const auto file = std::make_shared<base::MappedFile>(path);
  if (!is_set(file->bytes())) return {load_lpcfg(path)};
  base::SectionReader sections(path, file->bytes(), kSetFile);
  const auto number = sections.take<std::uint64_t>(kNumber);
  if (number.size() != 1 || number[0] < 2 || number[0] > grammar::kMaxGrammars) {
    sections.damaged("the number of its grammars makes no sense");
  }
  std::vector<Lpcfg> grammars;
  for (std::uint64_t i = 0; i < number[0]; ++i) {
    // Sections begin at multiples of 64 bytes, as files do that are mapped.
    grammars.emplace_back(grammar::read_parser_model(path, sections.take<std::byte>(kGrammar), file));
  }
  sections.finish();
  return grammars;
}

}  // namespace firth
