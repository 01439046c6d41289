// Vectors of words.
#include <pybind11/stl.h>

#include <firth/cluster_vectors.hpp>
#include <firth/embed.hpp>
#include <firth/error.hpp>
#include <set>

#include "arrays.hpp"
#include "bindings.hpp"
#include "options.hpp"
#include "runner.hpp"
#include "strings.hpp"
#include "vocabulary.hpp"

namespace firth::python {
namespace {

std::vector<int> context_from(OptionReader& reader, std::vector<int> context) {
  const py::object given = reader.take("context");
  if (py::isinstance<py::str>(given)) return parse_context(from_str(given));
  reader.value("context", context);
  return context;
}

EmbedOptions embed_options(const py::dict& given) {
  EmbedOptions options;
  OptionReader reader("embed()", given);
  options.context = context_from(reader, options.context);
  read_checkpoint_options(reader, options.checkpoint);
  reader.value("dim", options.dimensions)
      .choice("transform", options.transform,
              {{"raw", CountTransform::raw}, {"sqrt", CountTransform::sqrt}, {"log", CountTransform::log}})
      .choice("scale", options.scale,
              {{"cca", CountScale::cca},
               {"ppmi", CountScale::ppmi},
               {"reg", CountScale::reg},
               {"raw", CountScale::raw}})
      .value("kappa", options.kappa)
      .value("exponent", options.exponent)
      .value("unit", options.unit_length)
      .value("tolerance", options.tolerance)
      .finish();
  return options;
}

WordVectors embed(const Counts& counts, const py::dict& given, const RunArguments& run) {
  const EmbedOptions options = embed_options(given);
  return run_result(run, nullptr, [&](const RunOptions& to) { return embed_words(counts, options, to); });
}

py::array matrix(const py::object& self) {
  const auto& vectors = py::cast<const WordVectors&>(self);
  return view_of(
      vectors.numbers(),
      {static_cast<py::ssize_t>(vectors.vocabulary.size()), static_cast<py::ssize_t>(vectors.dimensions)},
      self);
}

using FloatArray = py::array_t<float, py::array::c_style | py::array::forcecast>;

py::list nearest(const WordVectors& vectors, const FloatArray& query, std::size_t count) {
  const std::span<const float> numbers(query.data(), static_cast<std::size_t>(query.size()));
  std::vector<Neighbour> neighbours;
  {
    const py::gil_scoped_release release;
    neighbours = nearest_words(vectors, numbers, count);
  }
  py::list list;
  for (const Neighbour& near : neighbours) list.append(py::make_tuple(near.word, near.cosine));
  return list;
}

/// Words with their counts or, without any, with falling ones that keep them in their order, as in files without counts.
Vocabulary vocabulary_from(const std::vector<std::string>& words, const std::vector<Count>& counts) {
  std::vector<std::pair<std::string, Count>> counted;
  for (std::size_t i = 0; i < words.size(); ++i)
    counted.emplace_back(words[i], counts.empty() ? words.size() - i : counts[i]);
  return Vocabulary::from_words(std::move(counted));
}

/// Vectors of others. With counts, rows are put in the order of the vocabulary; without, they keep their own.
WordVectors from_arrays(const std::vector<std::string>& words, const std::vector<Count>& counts,
                        const FloatArray& rows) {
  if (rows.ndim() != 2 || static_cast<std::size_t>(rows.shape(0)) != words.size() ||
      (!counts.empty() && counts.size() != words.size())) {
    throw UsageError("there must be one row and one count per word");
  }
  if (std::set<std::string>(words.begin(), words.end()).size() != words.size()) {
    throw UsageError("words must be distinct");
  }
  WordVectors vectors;
  vectors.vocabulary = vocabulary_from(words, counts);
  vectors.dimensions = static_cast<std::size_t>(rows.shape(1));
  vectors.values.resize(words.size() * vectors.dimensions);
  const WordIndex index(vectors.vocabulary);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const float* from = rows.data() + i * vectors.dimensions;
    std::copy(from, from + vectors.dimensions,
              vectors.values.data() + *index.find(words[i]) * vectors.dimensions);
  }
  return vectors;
}

VectorFormat format_from(const std::string& name) {
  if (name == "npy") return VectorFormat::npy;
  if (name == "word2vec") return VectorFormat::word2vec;
  if (name == "word2vec-binary") return VectorFormat::word2vec_binary;
  throw UsageError("format cannot be '" + name + "'", "use one of npy, word2vec, word2vec-binary");
}

void save(const WordVectors& vectors, const py::object& path, const std::string& format) {
  const std::string name = from_path(path);
  const VectorFormat chosen = format_from(format);
  const py::gil_scoped_release release;
  save_vectors(name, vectors, chosen);
}

WordVectors load(const py::object& path, const RunArguments& run) {
  const std::string name = from_path(path);
  return run_result(run, nullptr, [&](const RunOptions& to) { return load_vectors(name, to); });
}

VectorClusterOptions cluster_options(const py::dict& given) {
  VectorClusterOptions options;
  OptionReader reader("cluster_vectors()", given);
  std::string sizes;
  reader.value("class_size", sizes);
  if (!sizes.empty()) options.sizes = parse_class_sizes(sizes);
  reader.value("n_classes", options.classes)
      .choice(
          "method", options.method,
          {{"ward", VectorMethod::ward}, {"divide", VectorMethod::divide}, {"kmeans", VectorMethod::kmeans}})
      .choice("distance", options.distance,
              {{"cosine", VectorDistance::cosine}, {"euclidean", VectorDistance::euclidean}})
      .choice("weights", options.weights,
              {{"none", WordWeights::none}, {"sqrt", WordWeights::sqrt}, {"counts", WordWeights::counts}})
      .value("window", options.window)
      .choice("start", options.start,
              {{"frequent", KmeansStart::frequent},
               {"random", KmeansStart::random},
               {"ward", KmeansStart::ward},
               {"spread", KmeansStart::spread}})
      .value("iterations", options.iterations)
      .finish();
  return options;
}

/// The classes, their means, and the sums of squares.
py::dict cluster_rows(const WordVectors& vectors, const py::dict& given, const RunArguments& run) {
  const VectorClusterOptions options = cluster_options(given);
  ClassMeans means;
  VectorClusterResult result = run_result(run, nullptr, [&](const RunOptions& to) {
    VectorClusterResult made = cluster_vectors(vectors, options, to);
    means = class_means(made.clustering, vectors, options.distance);
    return made;
  });
  py::dict dict;
  dict["clustering"] = py::cast(std::move(result.clustering));
  dict["means"] = py::cast(std::move(means));
  dict["sum_of_squares"] = result.sum_of_squares;
  dict["total_sum_of_squares"] = result.total_sum_of_squares;
  dict["free_sum_of_squares"] = result.free_sum_of_squares;
  return dict;
}

py::tuple state_of(const ClassMeans& means) {
  return py::make_tuple(means.distance == VectorDistance::cosine, means.dimensions, means.means, means.sizes);
}

ClassMeans means_from(const py::tuple& state) {
  return {.distance = py::cast<bool>(state[0]) ? VectorDistance::cosine : VectorDistance::euclidean,
          .dimensions = py::cast<std::size_t>(state[1]),
          .means = py::cast<std::vector<float>>(state[2]),
          .sizes = py::cast<std::vector<std::uint64_t>>(state[3])};
}

/// The larger clustering, and a tuple per new word.
py::tuple assign(const ClassMeans& means, const Clustering& model, const WordVectors& fresh,
                 const RunArguments& run) {
  VectorAssignment result =
      run_result(run, nullptr, [&](const RunOptions& to) { return assign_vectors(model, means, fresh, to); });
  py::list words;
  for (const AssignedVector& each : result.words) {
    words.append(
        py::make_tuple(to_str(each.word), each.nearest.class_id, each.nearest.distance, each.nearest.margin));
  }
  return py::make_tuple(py::cast(std::move(result.clustering)), words);
}

/// The nearest class of every row.
py::array nearest_labels(const ClassMeans& means, const WordVectors& fresh, const RunArguments& run) {
  const std::vector<NearestClass> found =
      run_result(run, nullptr, [&](const RunOptions& to) { return nearest_classes(means, fresh, to); });
  std::vector<ClassId> labels;
  for (const NearestClass& each : found) labels.push_back(each.class_id);
  return array_of(std::move(labels));
}

void bind_means(py::module_& module) {
  py::class_<ClassMeans>(module, "ClassMeans", "The mean vector of each class.")
      .def("array",
           [](const py::object& self) {
             const auto& means = py::cast<const ClassMeans&>(self);
             return view_of(
                 std::span(means.means),
                 {static_cast<py::ssize_t>(means.sizes.size()), static_cast<py::ssize_t>(means.dimensions)},
                 self);
           })
      .def("assign", &assign)
      .def("nearest", &nearest_labels)
      .def("save", [](const ClassMeans& means,
                      const py::object& folder) { save_class_means(from_path(folder), means); })
      .def_static("load",
                  [](const py::object& folder, ClassId classes, const RunArguments& run) {
                    const std::string name = from_path(folder);
                    return run_result(run, nullptr, [&](const RunOptions& to) {
                      return load_class_means(name, classes, to);
                    });
                  })
      .def(py::pickle(&state_of, &means_from));
}

}  // namespace

void bind_vectors(py::module_& module) {
  py::class_<WordVectors>(module, "Vectors", "One vector per word.")
      .def("words", [](const WordVectors& vectors) { return Words(vectors.vocabulary); })
      .def("array", &matrix)
      .def("singular_values", [](const WordVectors& vectors) { return vectors.svd.singular_values; })
      .def("nearest", &nearest)
      .def("save", &save)
      .def("to_bytes", [](const WordVectors& vectors) { return py::bytes(vectors.to_bytes()); })
      .def_static("from_bytes",
                  [](const py::bytes& bytes) { return WordVectors::from_bytes(std::string_view(bytes)); })
      .def_static("from_arrays", &from_arrays)
      .def_static("load", &load);
  module.def("embed", &embed);
  module.def("cluster_vectors", &cluster_rows);
  bind_means(module);
  module.def("context_distances",
             [](const py::dict& given) { return context_distances(embed_options(given).context); });
}

}  // namespace firth::python
