// Classes of words and their tree.
#include <pybind11/stl.h>

#include <firth/assign.hpp>
#include <firth/auto.hpp>
#include <firth/build_tree.hpp>
#include <firth/class_ids.hpp>
#include <firth/clustering.hpp>
#include <firth/codes.hpp>
#include <firth/error.hpp>
#include <firth/evaluate.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "options.hpp"
#include "runner.hpp"
#include "strings.hpp"
#include "vocabulary.hpp"

namespace firth::python {
namespace {

ClusterFormat format_from(const std::string& name) {
  if (name == "auto") return ClusterFormat::automatic;
  if (name == "firth") return ClusterFormat::firth;
  if (name == "paths") return ClusterFormat::paths;
  if (name == "classes") return ClusterFormat::classes;
  if (name == "merges") return ClusterFormat::merges;
  if (name == "srilm") return ClusterFormat::srilm;
  if (name == "clark") return ClusterFormat::clark;
  if (name == "json") return ClusterFormat::json;
  if (name == "mkcls") return ClusterFormat::mkcls;
  if (name == "page") return ClusterFormat::page;
  throw UsageError("format cannot be '" + name + "'",
                   "use one of firth, paths, classes, merges, srilm, clark, json, mkcls");
}

/// Numbers of the words of one class, most frequent first.
std::vector<WordId> members(const Clustering& clustering, ClassId wanted) {
  if (wanted >= clustering.class_count()) throw py::index_error("no class " + std::to_string(wanted));
  std::vector<WordId> words;
  for (WordId word = 0; word < clustering.word_count(); ++word) {
    if (clustering.class_of(word) == wanted) words.push_back(word);
  }
  return words;
}

/// The first `count` words of every class.
py::list first_members(const Clustering& clustering, std::size_t count) {
  std::vector<py::list> lists(clustering.class_count());
  for (WordId word = 0; word < clustering.word_count(); ++word) {
    py::list& list = lists[clustering.class_of(word)];
    if (list.size() < count) list.append(to_str(clustering.vocabulary().word(word)));
  }
  py::list all(lists.size());
  for (std::size_t i = 0; i < lists.size(); ++i) all[i] = lists[i];
  return all;
}

/// The merges as arrays, or None: (leaves are words, number of leaves, left, right, AMI).
py::object tree(const Clustering& clustering) {
  if (!clustering.tree()) return py::none();
  const MergeTree& tree = *clustering.tree();
  std::vector<std::uint32_t> left;
  std::vector<std::uint32_t> right;
  std::vector<double> ami;
  for (const TreeMerge& merge : tree.merges) {
    left.push_back(merge.left);
    right.push_back(merge.right);
    ami.push_back(merge.ami_bits);
  }
  return py::make_tuple(tree.kind == TreeLeaves::words, tree.leaves, array_of(std::move(left)),
                        array_of(std::move(right)), array_of(std::move(ami)));
}

Clustering from_words(const std::vector<std::string>& words, const std::vector<Count>& counts,
                      const std::vector<ClassId>& labels) {
  if (words.size() != counts.size() || words.size() != labels.size()) {
    throw UsageError("words, counts and classes do not have the same number of entries");
  }
  std::vector<std::pair<std::string, Count>> counted;
  for (std::size_t i = 0; i < words.size(); ++i) counted.emplace_back(words[i], counts[i]);
  const Vocabulary vocabulary = Vocabulary::from_words(std::move(counted));
  const WordIndex index(vocabulary);
  std::vector<ClassId> classes(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) classes[*index.find(words[i])] = labels[i];
  return Clustering(vocabulary, classes);
}

Clustering with_tree(const Clustering& clustering, const Counts& counts, const RunArguments& run) {
  return run_result(run, nullptr, [&](const RunOptions& to) {
    const std::vector<ClassId> classes = classes_for(counts.vocabulary(), clustering);
    Clustering result(clustering.vocabulary(), clustering.classes(), build_tree(counts, classes, to));
    result.learn_class_bigrams(counts);
    return result;
  });
}

std::vector<Clustering> refine(const Clustering& clustering, const Counts& counts,
                               const std::vector<ClassId>& cuts, const RunArguments& run) {
  return run_result(run, nullptr,
                    [&](const RunOptions& to) { return refine_cuts(counts, clustering, cuts, to); });
}

py::tuple assign(const Clustering& clustering, const Counts& counts, Count min_contexts,
                 const RunArguments& run) {
  const Assignment assignment = run_result(run, nullptr, [&](const RunOptions& to) {
    return assign_words(clustering, counts, {.min_contexts = min_contexts}, to);
  });
  py::list words;
  for (const AssignedWord& word : assignment.words) {
    const char* by = word.by == AssignedBy::contexts ? "contexts" : "spelling";
    words.append(
        py::make_tuple(to_str(word.word), word.class_id, by, word.count, word.contexts, word.margin_nats));
  }
  return py::make_tuple(assignment.clustering, words);
}

void save(const Clustering& clustering, const py::object& path, const std::string& format) {
  const std::string name = from_path(path);
  const ClusterFormat chosen = format_from(format);
  const py::gil_scoped_release release;
  save_clustering(name, clustering, chosen);
}

Clustering load(const py::object& path, const std::string& format) {
  const std::string name = from_path(path);
  const ClusterFormat chosen = format_from(format);
  return run_result({}, nullptr, [&](const RunOptions& to) { return load_clustering(name, chosen, to); });
}

/// One row of digits per word.
py::array codes(const Clustering& clustering, std::uint32_t branch, std::uint32_t depth) {
  Codes codes = make_codes(clustering, {.branch = branch, .depth = depth});
  return array_of(std::move(codes.digits))
      .reshape({static_cast<py::ssize_t>(clustering.word_count()), py::ssize_t{depth}});
}

py::array by_id(const Clustering& clustering, const py::object& id_names) {
  const std::string names = id_names.is_none() ? "" : from_path(id_names);
  return array_of(classes_by_id(clustering, names));
}

Clustering cut_sizes(const Clustering& clustering, ClassId classes, const std::string& sizes) {
  return cut_by_size(clustering, classes, parse_class_sizes(sizes));
}

py::array labels(const py::object& self) {
  return view_of(py::cast<const Clustering&>(self).classes(), self);
}

}  // namespace

void bind_clustering(py::module_& module) {
  py::class_<Clustering>(module, "Clustering", "Words in classes.")
      .def("words", [](const Clustering& clustering) { return Words(clustering.vocabulary()); })
      .def("labels", &labels)
      .def("n_classes", &Clustering::class_count)
      .def("class_of", &Clustering::class_of)
      .def("members", &members)
      .def("first_members", &first_members)
      .def("bits", &Clustering::bit_strings)
      .def("tree", &tree)
      .def("preprocessing",
           [](const Clustering& clustering) { return as_options(clustering.preprocessing()); })
      .def("cut", &Clustering::cut)
      .def("cut_at_depth", &cut_at_depth)
      .def("cut_by_size", &cut_sizes)
      .def("codes", &codes)
      .def("by_id", &by_id)
      .def("with_tree", &with_tree)
      .def("refine", &refine)
      .def("assign", &assign)
      .def("equals", [](const Clustering& a, const Clustering& b) { return a == b; })
      .def("save", &save)
      .def("format",
           [](const Clustering& clustering, const std::string& format) {
             return py::bytes(format_clustering(clustering, format_from(format)));
           })
      .def("to_bytes", [](const Clustering& clustering) { return py::bytes(clustering.to_bytes()); })
      .def_static("from_bytes",
                  [](const py::bytes& bytes) { return Clustering::from_bytes(std::string_view(bytes)); })
      .def_static("from_words", &from_words)
      .def_static("load", &load);
}

}  // namespace firth::python
