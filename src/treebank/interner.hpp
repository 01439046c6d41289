// Strings with numbers, in order of arrival.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace firth::treebank {

/// Gives every different string a number. Views stay good as long as the interner lives.
class Interner {
 public:
  Interner() = default;
  Interner(const Interner& other) { *this = other; }
  Interner& operator=(const Interner& other) {
    if (this == &other) return *this;
    names_.clear();
    numbers_.clear();
    for (const std::string& name : other.names_) intern(name);
    return *this;
  }
  Interner(Interner&&) = default;
  Interner& operator=(Interner&&) = default;

  std::uint32_t intern(std::string_view name) {
    const auto found = numbers_.find(name);
    if (found != numbers_.end()) return found->second;
    names_.emplace_back(name);
    const auto number = static_cast<std::uint32_t>(names_.size() - 1);
    numbers_.emplace(names_.back(), number);
    return number;
  }

  std::optional<std::uint32_t> find(std::string_view name) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }

  const std::string& operator[](std::uint32_t number) const { return names_[number]; }
  std::size_t size() const noexcept { return names_.size(); }

 private:
  std::deque<std::string> names_;  // a deque: growing moves no string
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

}  // namespace firth::treebank
