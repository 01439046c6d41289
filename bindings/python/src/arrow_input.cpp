// Columns of strings from pyarrow, polars, duckdb and Hugging Face datasets, without any of them.
#include <cstring>
#include <firth/error.hpp>
#include <mutex>
#include <optional>

#include "arrow.hpp"
#include "block_queue.hpp"
#include "input.hpp"

namespace firth::python {
namespace {

/// Releases a struct of Arrow at the end of its life.
template <class Struct>
class Released {
 public:
  Released() { std::memset(&value_, 0, sizeof(value_)); }
  explicit Released(const Struct& value) : value_(value) {}
  ~Released() {
    if (value_.release != nullptr) value_.release(&value_);
  }
  Released(Released&& other) noexcept : value_(other.value_) { other.value_.release = nullptr; }
  Released& operator=(Released&&) = delete;
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

  [[nodiscard]] Struct* get() { return &value_; }
  Struct* operator->() { return &value_; }

 private:
  Struct value_;
};

bool is_valid(const ArrowArray& array, std::int64_t row) {
  if (array.null_count == 0 || array.buffers[0] == nullptr) return true;
  const auto* bits = static_cast<const std::uint8_t*>(array.buffers[0]);
  return (bits[row / 8] >> (row % 8) & 1) != 0;
}

template <class Offset>
std::string_view string_at(const ArrowArray& array, std::int64_t row) {
  const auto* offsets = static_cast<const Offset*>(array.buffers[1]);
  const auto* bytes = static_cast<const char*>(array.buffers[2]);
  return {bytes + offsets[row], static_cast<std::size_t>(offsets[row + 1] - offsets[row])};
}

/// A string of up to 12 bytes is in its view; a longer one in one of the buffers after it.
std::string_view view_at(const ArrowArray& array, std::int64_t row) {
  const char* view = static_cast<const char*>(array.buffers[1]) + 16 * row;
  std::int32_t fields[4];  // length, prefix, number of the buffer, place in it
  std::memcpy(fields, view, sizeof(fields));
  const auto length = static_cast<std::size_t>(fields[0]);
  if (length <= 12) return {view + 4, length};
  return {static_cast<const char*>(array.buffers[2 + fields[2]]) + fields[3], length};
}

using StringAt = std::string_view (*)(const ArrowArray&, std::int64_t);

/// How strings are kept in a column of this format; nullptr if it has none.
StringAt reader_for(const char* format) {
  const std::string_view name = format;
  if (name == "u" || name == "z") return &string_at<std::int32_t>;
  if (name == "U" || name == "Z") return &string_at<std::int64_t>;
  if (name == "vu" || name == "vz") return &view_at;
  return nullptr;
}

/// Reads the stream batch by batch.
class ArrowFeed : public Feed {
 public:
  ArrowFeed(const ArrowArrayStream& stream, std::string column, std::string name)
      : stream_(stream), name_(std::move(name)) {
    Released<ArrowSchema> schema;
    check(stream_->get_schema(stream_.get(), schema.get()));
    choose_column(*schema.get(), column);
  }

  void connect(std::function<void()> wake) override { queue_.connect(std::move(wake)); }
  [[nodiscard]] bool wants_data() const override { return queue_.wants_data(); }
  void abort() override { queue_.abort(); }
  [[nodiscard]] std::optional<std::string> pop() { return queue_.pop(); }

  void fill() override {
    Released<ArrowArray> batch;
    check(stream_->get_next(stream_.get(), batch.get()));
    if (batch->release == nullptr) {
      queue_.end();
      return;
    }
    std::string text;
    add_rows(*batch.get(), text);
    if (!text.empty()) queue_.push(std::move(text));
  }

 private:
  void check(int status) {
    if (status == 0) return;
    const char* message = stream_->get_last_error(stream_.get());
    throw InputError({name_}, message == nullptr ? "the Arrow stream cannot be read" : message);
  }

  void choose_column(const ArrowSchema& schema, const std::string& column) {
    const bool is_table = std::strcmp(schema.format, "+s") == 0;
    for (std::int64_t i = 0; is_table && i < schema.n_children; ++i) {
      const ArrowSchema& child = *schema.children[i];
      if (column.empty() ? schema.n_children == 1 : child.name == column) column_ = i;
    }
    if (is_table && column_ < 0) {
      throw UsageError(column.empty() ? "a table of several columns needs the name of one"
                                      : "no column is called '" + column + "'",
                       "give it as field=");
    }
    string_at_ = reader_for(is_table ? schema.children[column_]->format : schema.format);
    if (string_at_ == nullptr)
      throw UsageError("the Arrow column holds no strings", "cast it to a column of strings");
  }

  void add_rows(const ArrowArray& batch, std::string& text) {
    const ArrowArray& rows = column_ < 0 ? batch : *batch.children[column_];
    // Rows of a table begin at its own offset in every column.
    const std::int64_t begin = rows.offset + (column_ < 0 ? 0 : batch.offset);
    for (std::int64_t row = begin; row < begin + batch.length; ++row) {
      ++number_;
      if (!is_valid(rows, row)) {
        throw InputError({.path = name_, .line = number_}, "item " + std::to_string(number_) + " is null",
                         "leave missing values out");
      }
      text += string_at_(rows, row);
      if (text.empty() || text.back() != '\n') text += '\n';
    }
  }

  Released<ArrowArrayStream> stream_;
  std::string name_;
  std::int64_t column_ = -1;  ///< of a table; -1: the stream is the column itself
  StringAt string_at_ = nullptr;
  std::uint64_t number_ = 0;
  BlockQueue<std::string> queue_;
};

/// Takes the stream out of its capsule, which then has none to release.
ArrowArrayStream take_stream(const py::capsule& capsule) {
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw py::error_already_set();
  const ArrowArrayStream taken = *stream;
  stream->release = nullptr;
  return taken;
}

}  // namespace

Input arrow_input(const py::capsule& stream, const std::string& column, const std::string& name) {
  auto source = std::make_shared<ArrowFeed>(take_stream(stream), column, name);
  auto read = [source, block = std::string(), taken = std::size_t{0}](char* data, std::size_t size) mutable {
    if (taken == block.size()) {
      std::optional<std::string> next = source->pop();
      if (!next) return std::size_t{0};
      block = std::move(*next);
      taken = 0;
    }
    const std::size_t count = std::min(size, block.size() - taken);
    std::memcpy(data, block.data() + taken, count);
    taken += count;
    return count;
  };
  return {.inputs = Inputs::from_bytes(std::move(read), name), .feed = source};
}

}  // namespace firth::python
