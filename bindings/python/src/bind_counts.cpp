// Counting, and counts as arrays.
#include <pybind11/stl.h>

#include <firth/count.hpp>
#include <firth/error.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "input.hpp"
#include "options.hpp"
#include "runner.hpp"
#include "strings.hpp"
#include "vocabulary.hpp"

namespace firth::python {
namespace {

Counts count(const Input& input, const py::dict& given, const RunArguments& run) {
  const CountOptions options = count_options(given);
  return run_result(run, input.feed.get(),
                    [&](const RunOptions& to) { return count_text(input.inputs, options, to); });
}

/// Text or count files.
Counts read(const Input& input, const py::dict& given, const RunArguments& run) {
  const CountOptions options = count_options(given);
  return run_result(run, input.feed.get(),
                    [&](const RunOptions& to) { return read_counts(input.inputs, options, to); });
}

Counts merge(const std::vector<std::string>& paths, const RunArguments& run) {
  return run_result(run, nullptr, [&](const RunOptions& to) { return merge_counts(paths, to); });
}

Counts restrict_words(const Counts& counts, const py::dict& given, const RunArguments& run) {
  VocabularyOptions options;
  OptionReader reader("restrict()", given);
  read_vocabulary_options(reader, options);
  reader.finish();
  return run_result(run, nullptr,
                    [&](const RunOptions& to) { return restrict_vocabulary(counts, options, to); });
}

/// The arrays of scipy's CSR, as views: offsets of rows, columns, counts.
py::tuple pairs(const py::object& self, int distance) {
  const PairCounts& pairs = py::cast<const Counts&>(self).pairs_at(distance);
  return py::make_tuple(view_of(pairs.offsets(), self), view_of(pairs.rights(), self),
                        view_of(pairs.counts(), self));
}

template <class T>
using Dense = py::array_t<T, py::array::c_style | py::array::forcecast>;

/// Counts from a matrix whose row and column i belong to words[i], in any order.
Counts from_pairs(const std::vector<std::string>& words, const Dense<std::uint64_t>& word_counts,
                  const Dense<std::uint32_t>& lefts, const Dense<std::uint32_t>& rights,
                  const Dense<std::uint64_t>& pair_counts) {
  if (static_cast<std::size_t>(word_counts.size()) != words.size() || lefts.size() != rights.size() ||
      lefts.size() != pair_counts.size()) {
    throw UsageError("words, counts and pairs do not have the same sizes");
  }
  std::vector<std::pair<std::string, Count>> counted;
  Count tokens = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    counted.emplace_back(words[i], word_counts.data()[i]);
    tokens += counted.back().second;
  }
  const Vocabulary vocabulary = Vocabulary::from_words(std::move(counted));
  const WordIndex index(vocabulary);
  std::vector<WordId> ranks;
  for (const std::string& word : words) ranks.push_back(*index.find(word));
  std::vector<PairCount> list;
  for (py::ssize_t i = 0; i < lefts.size(); ++i) {
    list.push_back({ranks.at(lefts.data()[i]), ranks.at(rights.data()[i]), pair_counts.data()[i]});
  }
  return Counts(vocabulary, PairCounts::from_pairs(vocabulary.size(), std::move(list)), {.tokens = tokens});
}

}  // namespace

void bind_counts(py::module_& module) {
  py::class_<Counts>(module, "Counts", "Words and pairs of words.")
      .def("words", [](const Counts& counts) { return Words(counts.vocabulary()); })
      .def("pairs", &pairs)
      .def("distances", &Counts::distances)
      .def("n_tokens", [](const Counts& counts) { return counts.info().tokens; })
      .def("n_sequences", [](const Counts& counts) { return counts.info().sequences; })
      .def("is_restricted", [](const Counts& counts) { return counts.info().restricted; })
      .def("text_options", [](const Counts& counts) { return counts.info().text_options; })
      .def("n_pairs", [](const Counts& counts, int distance) { return counts.pairs_at(distance).total(); })
      .def("n_distinct_pairs",
           [](const Counts& counts, int distance) { return counts.pairs_at(distance).distinct(); })
      .def("restrict", &restrict_words)
      .def("to_bytes", [](const Counts& counts) { return py::bytes(counts.to_bytes()); })
      .def_static("from_bytes",
                  [](const py::bytes& bytes) { return Counts::from_bytes(std::string_view(bytes)); })
      .def_static("from_pairs", &from_pairs)
      .def("save",
           [](const Counts& counts, const py::object& path) {
             const std::string name = from_path(path);
             const py::gil_scoped_release release;
             save_counts(name, counts);
           })
      .def_static("load", [](const py::object& path) {
        const std::string name = from_path(path);
        const py::gil_scoped_release release;
        return load_counts(name);
      });
  module.def("count", &count);
  module.def("read_counts", &read);
  module.def("merge_counts", &merge);
  module.def("suggested_min_count", [](const Counts& counts) { return suggested_min_count(counts); });
  module.def("is_count_file", [](const py::object& path) { return is_count_file(from_path(path)); });
}

}  // namespace firth::python
