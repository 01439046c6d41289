#include "counts/words/spilled_words.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

namespace firth::counts {
namespace {

/// Before the bytes of each word.
struct RecordHead {
  Count count;
  std::uint64_t id;
  std::uint64_t bytes;
};

constexpr std::size_t kBufferBytes = std::size_t{1} << 15;
constexpr std::size_t kWordsPerMark = 4096;

}  // namespace

class SpilledWords::Cursor final : public WordCursor {
 public:
  Cursor(const base::TempFile& file, std::uint64_t begin, std::uint64_t end, std::string_view from,
         std::string_view to)
      : file_(file), next_(begin), end_(end), from_(from), to_(to) {}

  bool next(RunWord& word) override {
    while (read(word)) {
      if (word.word < from_) continue;
      return to_.empty() || word.word < to_;
    }
    return false;
  }

 private:
  bool read(RunWord& word) {
    if (at_ == buffer_.size() && next_ == end_) return false;
    RecordHead head;
    std::memcpy(&head, take(sizeof(head)), sizeof(head));
    word = {{take(head.bytes), head.bytes}, head.count, head.id};
    return true;
  }

  /// The next bytes of the run. What was taken before is still there if both are of one word.
  const char* take(std::size_t bytes) {
    if (buffer_.size() - at_ < bytes) refill(bytes);
    const char* place = buffer_.data() + at_;
    at_ += bytes;
    return place;
  }

  void refill(std::size_t needed) {
    buffer_.erase(0, at_);
    at_ = 0;
    const std::size_t have = buffer_.size();
    const std::uint64_t more = std::min<std::uint64_t>(std::max(needed - have, kBufferBytes), end_ - next_);
    buffer_.resize(have + more);
    file_.read_at(next_, std::as_writable_bytes(std::span(buffer_).subspan(have)));
    next_ += more;
  }

  const base::TempFile& file_;
  std::uint64_t next_;  // byte of the file
  std::uint64_t end_;
  std::string from_;
  std::string to_;
  std::string buffer_;
  std::size_t at_ = 0;  // byte of the buffer
};

class SpilledWords::Run final : public WordRun {
 public:
  Run(const base::TempFile& file, const Extent& extent) : file_(file), extent_(extent) {}

  std::unique_ptr<WordCursor> range(std::string_view from, std::string_view to) const override {
    const auto after =
        std::upper_bound(extent_.marks.begin(), extent_.marks.end(), from,
                         [](std::string_view word, const Mark& mark) { return word < mark.word; });
    const std::uint64_t begin =
        after == extent_.marks.begin() ? extent_.marks.front().offset : std::prev(after)->offset;
    return std::make_unique<Cursor>(file_, begin, extent_.end, from, to);
  }

  std::vector<std::string> sample() const override {
    std::vector<std::string> words;
    for (const Mark& mark : extent_.marks) words.push_back(mark.word);
    return words;
  }

 private:
  const base::TempFile& file_;
  const Extent& extent_;
};

void SpilledWords::add_run(std::vector<RunWord> words) {
  if (words.empty()) return;
  if (file_ == nullptr) file_ = std::make_unique<base::TempFile>(temp_folder_);
  std::sort(words.begin(), words.end(), [](const RunWord& a, const RunWord& b) { return a.word < b.word; });
  Extent extent;
  std::string buffer;
  const auto flush = [&] {
    file_->write_at(size_, std::as_bytes(std::span(buffer)));
    size_ += buffer.size();
    buffer.clear();
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const RunWord& word = words[i];
    if (i % kWordsPerMark == 0) extent.marks.push_back({std::string(word.word), size_ + buffer.size()});
    const RecordHead head = {word.count, word.id, word.word.size()};
    buffer.append(reinterpret_cast<const char*>(&head), sizeof(head));
    buffer += word.word;
    if (buffer.size() >= kBufferBytes) flush();
  }
  flush();
  extent.end = size_;
  runs_.push_back(std::move(extent));
}

std::vector<std::unique_ptr<WordRun>> SpilledWords::runs() const {
  std::vector<std::unique_ptr<WordRun>> all;
  for (const Extent& extent : runs_) all.push_back(std::make_unique<Run>(*file_, extent));
  return all;
}

}  // namespace firth::counts
