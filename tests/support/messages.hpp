// What a call that is refused says.
#pragma once

#include <string>

#include "firth/error.hpp"

namespace firth::testing {

/// The message of the error that `work` throws; "no error" if it throws none.
template <class Failure = Error, class Work>
std::string message_of(const Work& work) {
  try {
    work();
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "no error";
}

}  // namespace firth::testing
