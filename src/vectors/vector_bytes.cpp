// Word vectors as bytes, with everything that is known about them; the file formats keep less.
#include <array>
#include <memory>

#include "base/memory_file.hpp"
#include "base/section_file.hpp"
#include "counts/vocabulary_sections.hpp"
#include "firth/embed.hpp"

namespace firth {
namespace {

constexpr base::FileKind kVectorBytes = {{'\x89', 'F', 'W', 'V', '\x20', '\r', '\n', '\x1a'},
                                         1,
                                         "set of word vectors",
                                         "make them again with to_bytes()"};

enum SectionKind : std::uint32_t {
  kWordOffsets = 1,
  kWordBytes = 2,
  kWordCounts = 3,
  kSizes = 4,  // dimensions, converged, products, restarts
  kValues = 5,
  kSingularValues = 6,
  kResiduals = 7,
  kKappa = 8,
};

constexpr counts::VocabularySections kWords = {kWordOffsets, kWordBytes, kWordCounts};

}  // namespace

std::string WordVectors::to_bytes() const {
  const std::array<std::uint64_t, 4> sizes = {dimensions, svd.converged ? 1U : 0U, svd.products,
                                              svd.restarts};
  std::vector<base::Section> sections;
  counts::add_vocabulary(vocabulary, kWords, sections);
  sections.push_back(base::make_section(kSizes, sizes));
  sections.push_back(base::make_section(kValues, numbers()));
  sections.push_back(base::make_section(kSingularValues, svd.singular_values));
  sections.push_back(base::make_section(kResiduals, svd.residuals));
  sections.push_back(base::make_section(kKappa, std::span(&svd.kappa, 1)));
  return base::section_bytes(kVectorBytes, sections);
}

WordVectors WordVectors::from_bytes(std::string_view bytes) {
  const auto file = std::make_shared<const base::MemoryFile>(bytes);
  base::SectionReader sections(base::kMemoryName, file->bytes(), kVectorBytes);
  WordVectors vectors;
  vectors.vocabulary = counts::take_vocabulary(sections, kWords, file);
  const auto sizes = sections.take<std::uint64_t>(kSizes);
  const auto values = sections.take<float>(kValues);
  const auto singular = sections.take<double>(kSingularValues);
  const auto residuals = sections.take<double>(kResiduals);
  const auto kappa = sections.take<double>(kKappa);
  sections.finish();
  const std::size_t words = vectors.vocabulary.size();
  const bool fits =
      sizes.size() == 4 && sizes[1] <= 1 && kappa.size() == 1 &&
      (words == 0 ? values.empty() : values.size() % words == 0 && values.size() / words == sizes[0]);
  if (!fits) sections.damaged("its numbers do not fit its words");
  vectors.dimensions = sizes[0];
  vectors.values.assign(values.begin(), values.end());
  vectors.svd = {{singular.begin(), singular.end()},
                 {residuals.begin(), residuals.end()},
                 sizes[1] == 1,
                 sizes[2],
                 sizes[3],
                 kappa[0]};
  return vectors;
}

}  // namespace firth
