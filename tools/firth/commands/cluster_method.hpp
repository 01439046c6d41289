// What `firth cluster --method NAME` needs to know about a method.
#pragma once

#include <firth/cluster.hpp>
#include <firth/count.hpp>
#include <memory>
#include <string>
#include <vector>

#include "option_table.hpp"
#include "session.hpp"

namespace firth::cli {

/// One clustering method: its options and its call into the library.
class ClusterMethod {
 public:
  virtual ~ClusterMethod() = default;

  /// The word after --method.
  virtual std::string name() const = 0;
  /// Half a sentence for the help of --method.
  virtual std::string summary() const = 0;

  /// Declares the options that only this method has; the group is set by the caller.
  virtual void declare(OptionTable& options) = 0;

  /// Headings of options that it shares with some of the other methods.
  virtual std::vector<std::string> shared_groups() const { return {}; }

  /// Distances of pairs that the method needs to be counted.
  virtual std::vector<int> distances() const { return {1}; }

  /// Clusters into `classes` classes; `folder` is where results go, for methods that write more than classes.
  virtual ClusterResult run(const Counts& counts, ClassId classes, Session& session,
                            const std::string& folder) = 0;
};

/// Every method, the default first.
std::vector<std::unique_ptr<ClusterMethod>> all_cluster_methods();

}  // namespace firth::cli
