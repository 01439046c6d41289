// An error of one rank, on all of them.
#pragma once

#include <exception>
#include <string>

#include "base/ranks.hpp"
#include "firth/error.hpp"

namespace firth::base {

/// What an error says, without its place and its hint.
std::string problem_of(const Error& error);

/// Called by every rank, with its exception or nullptr. If any rank has one, every rank throws that of the first
/// of them; its text says which rank, unless it is about the data, which are the same wherever they are read.
void share_error(const Ranks& ranks, const std::exception_ptr& own);

/// Calls work() on every rank; an error of one becomes an error of all. Inside, ranks must not talk to each other.
template <typename Work>
void together(const Ranks& ranks, const Work& work) {
  std::exception_ptr error;
  try {
    work();
  } catch (...) {
    error = std::current_exception();
  }
  share_error(ranks, error);
}

}  // namespace firth::base
