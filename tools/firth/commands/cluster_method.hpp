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
class MethodOptions {
 public:
  virtual ~MethodOptions() = default;

  /// Declares the options that only this method has; the group is set by the caller.
  virtual void declare(OptionTable& options) = 0;

  /// Headings of options that it shares with some of the other methods.
  virtual std::vector<std::string> shared_groups() const { return {}; }

  /// Does what wcluster does, where that is something else.
  virtual void imitate_wcluster() {}

  /// The library's options, as far as they are known before the text is read.
  virtual ClusterMethod method() const = 0;

  /// Clusters into `classes` classes; `folder` is where results go, for methods that write more than classes.
  virtual ClusterResult run(const Counts& counts, ClassId classes, Session& session,
                            const std::string& folder) = 0;
};

/// A method of the library by its name.
struct NamedMethod {
  std::string name;     ///< the word after --method
  std::string summary;  ///< half a sentence for the help of --method
  std::unique_ptr<MethodOptions> options;
};

}  // namespace firth::cli
