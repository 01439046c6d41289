// What classes of vectors know about new vectors: their means.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "base/parse_number.hpp"
#include "cluster/extend.hpp"
#include "cluster/points/centroids.hpp"
#include "cluster/points/rows.hpp"
#include "firth/cluster_vectors.hpp"
#include "firth/error.hpp"

namespace firth {
namespace points {
namespace {

constexpr std::array kDistances = {std::pair(VectorDistance::cosine, "means-cosine"),
                                   std::pair(VectorDistance::euclidean, "means-euclidean")};

/// Classes of the rows of `known`; kNoClass for words that were not clustered.
std::vector<ClassId> known_classes(const Clustering& clustering, const WordVectors& known) {
  const WordIndex index(clustering.vocabulary());
  std::vector<ClassId> classes;
  for (WordId word = 0; word < known.vocabulary.size(); ++word) {
    const std::optional<WordId> id = index.find(known.vocabulary.word(word));
    classes.push_back(id ? clustering.class_of(*id) : kNoClass);
  }
  return classes;
}

Centroids centroids_of(const ClassMeans& means) {
  return {means.dimensions, means.means, {means.sizes.begin(), means.sizes.end()}};
}

void require_members(const ClassMeans& means) {
  if (std::any_of(means.sizes.begin(), means.sizes.end(), [](std::uint64_t size) { return size > 0; }))
    return;
  throw UsageError("no word of the clustering has a vector", "give the vectors that were clustered");
}

/// The distance whose file is there, and the name of the file without its ending.
std::pair<VectorDistance, std::string> find_means(const std::string& folder) {
  for (const auto& [distance, name] : kDistances) {
    const std::string stem = folder + "/" + name;
    std::error_code unreadable;
    if (std::filesystem::exists(stem + ".npy", unreadable)) return {distance, stem};
  }
  throw InputError({folder}, "there are no means of classes of vectors",
                   "give a folder that was made from vectors");
}

/// The class that a line of the list names; nothing if it is not one of theirs.
std::optional<ClassId> class_named(std::string_view name, ClassId classes) {
  const auto number = base::parse_number<ClassId>(name);
  return number && *number < classes ? number : std::nullopt;
}

}  // namespace
}  // namespace points

ClassMeans class_means(const Clustering& clustering, const WordVectors& vectors, VectorDistance distance) {
  const points::Rows rows(vectors, distance);
  auto means = points::centroids(rows.scaled(), points::known_classes(clustering, vectors), {},
                                 clustering.class_count());
  ClassMeans result{
      distance, vectors.dimensions, std::move(means.means), {means.weights.begin(), means.weights.end()}};
  points::require_members(result);
  return result;
}

void save_class_means(const std::string& folder, const ClassMeans& means) {
  const auto distance = std::find_if(points::kDistances.begin(), points::kDistances.end(),
                                     [&](const auto& entry) { return entry.first == means.distance; });
  std::vector<std::pair<std::string, Count>> classes;
  for (ClassId c = 0; c < means.sizes.size(); ++c) classes.emplace_back(fmt::format("{}", c), means.sizes[c]);
  WordVectors vectors;
  vectors.vocabulary = Vocabulary::from_words(std::move(classes));
  vectors.dimensions = means.dimensions;
  for (WordId row = 0; row < vectors.vocabulary.size(); ++row) {
    const auto c =
        *points::class_named(vectors.vocabulary.word(row), static_cast<ClassId>(means.sizes.size()));
    const auto mean = std::span(means.means).subspan(c * means.dimensions, means.dimensions);
    vectors.values.insert(vectors.values.end(), mean.begin(), mean.end());
  }
  save_vectors(folder + "/" + distance->second, vectors, VectorFormat::npy);
}

ClassMeans load_class_means(const std::string& folder, ClassId classes, const RunOptions& run) {
  const auto [distance, stem] = points::find_means(folder);
  const WordVectors vectors = load_vectors(stem + ".npy", run);
  ClassMeans means{distance, vectors.dimensions, std::vector<float>(classes * vectors.dimensions),
                   std::vector<std::uint64_t>(classes)};
  for (WordId row = 0; row < vectors.vocabulary.size(); ++row) {
    const auto c = points::class_named(vectors.vocabulary.word(row), classes);
    if (!c) {
      throw InputError({stem + ".vocab"},
                       fmt::format("'{}' is not one of {} classes", vectors.vocabulary.word(row), classes),
                       "the folder has files of different runs");
    }
    means.sizes[*c] = vectors.vocabulary.count(row);
    const auto mean = vectors.row(row);
    std::copy(mean.begin(), mean.end(),
              means.means.begin() + static_cast<std::ptrdiff_t>(*c * means.dimensions));
  }
  points::require_members(means);
  return means;
}

std::vector<NearestClass> nearest_classes(const ClassMeans& means, const WordVectors& fresh,
                                          const RunOptions& run) {
  if (means.dimensions != fresh.dimensions) {
    throw UsageError(
        fmt::format("vectors of {} numbers, and new ones of {}", means.dimensions, fresh.dimensions),
        "give vectors of the same kind");
  }
  points::require_members(means);
  const points::Rows queries(fresh, means.distance);
  return points::nearest(queries.scaled(), points::centroids_of(means), run);
}

VectorAssignment assign_vectors(const Clustering& model, const ClassMeans& means, const WordVectors& fresh,
                                const RunOptions& run) {
  const std::vector<NearestClass> nearest = nearest_classes(means, fresh, run);
  const WordIndex index(model.vocabulary());
  VectorAssignment result;
  std::vector<clusters::NewWord> added;
  for (WordId word = 0; word < fresh.vocabulary.size(); ++word) {
    const std::string_view name = fresh.vocabulary.word(word);
    if (index.find(name)) continue;
    result.words.push_back({std::string(name), nearest[word]});
    added.push_back({name, fresh.vocabulary.count(word), nearest[word].class_id});
  }
  result.clustering = clusters::extended(model, added);
  return result;
}

std::vector<ClassId> nearest_classes(const Clustering& clustering, const WordVectors& known,
                                     const WordVectors& fresh, VectorDistance distance,
                                     const RunOptions& run) {
  std::vector<ClassId> classes;
  for (const NearestClass& near : nearest_classes(class_means(clustering, known, distance), fresh, run))
    classes.push_back(near.class_id);
  return classes;
}

}  // namespace firth
