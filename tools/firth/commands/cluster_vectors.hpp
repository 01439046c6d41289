// firth cluster --vectors FILE: classes of vectors instead of words of a text.
#pragma once

#include <firth/cluster_vectors.hpp>
#include <string>
#include <utility>
#include <vector>

#include "commands/cluster_methods.hpp"
#include "option_table.hpp"
#include "session.hpp"

namespace firth::cli {

/// Heading of its options.
inline constexpr const char* kVectorGroup = "Only for --vectors";

/// Names after --method, and half a sentence about each, in the order of VectorMethod.
const std::vector<std::pair<std::string, std::string>>& vector_methods();

/// What is the same for every way of clustering.
struct VectorJob {
  std::size_t method = 0;  ///< of vector_methods()
  ClassId classes = 0;
  std::string folder;
};

/// The options of the job and the job.
class VectorClustering {
 public:
  explicit VectorClustering(std::shared_ptr<SharedSettings> shared) : shared_(std::move(shared)) {}

  /// --vectors itself, for the group of the main options.
  void declare_input(OptionTable& options);
  void declare(OptionTable& options);

  bool chosen() const { return !file_.empty(); }
  /// Throws UsageError if an option was given that only a text could use.
  void refuse_text_options(const OptionTable& options) const;

  void print_estimate(const VectorJob& job, Session& session);
  void run(const VectorJob& job, const OptionTable& options, Session& session);

 private:
  VectorClusterOptions options_for(const VectorJob& job) const;

  std::shared_ptr<SharedSettings> shared_;
  std::string file_;
  VectorClusterOptions options_;
};

}  // namespace firth::cli
