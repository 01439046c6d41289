// Sorted runs of words in a temporary file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/temp_file.hpp"
#include "counts/words/word_run.hpp"

namespace firth::counts {

class SpilledWords {
 public:
  /// `temp_folder` empty = the system's.
  explicit SpilledWords(std::string temp_folder) : temp_folder_(std::move(temp_folder)) {}

  /// Writes different words, in any order, as one run. Throws IoError.
  void add_run(std::vector<RunWord> words);
  bool empty() const noexcept { return runs_.empty(); }
  /// The runs so far. This must outlive them.
  std::vector<std::unique_ptr<WordRun>> runs() const;

 private:
  /// At regular distances in a run, where a word begins.
  struct Mark {
    std::string word;
    std::uint64_t offset;
  };
  struct Extent {
    std::vector<Mark> marks;
    std::uint64_t end = 0;
  };
  class Run;
  class Cursor;

  std::string temp_folder_;
  std::unique_ptr<base::TempFile> file_;  // from the first run on
  std::uint64_t size_ = 0;
  std::vector<Extent> runs_;
};

}  // namespace firth::counts
