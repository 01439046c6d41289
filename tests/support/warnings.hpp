// Collects what a run warns about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "firth/run.hpp"

namespace firth::testing {

class Warnings final : public ProgressSink {
 public:
  void begin(std::string_view, std::string_view, std::uint64_t) override {}
  void advance(std::uint64_t, std::string_view) override {}
  void end() override {}
  void warn(std::string_view message) override { messages.emplace_back(message); }

  std::vector<std::string> messages;
};

}  // namespace firth::testing
