#include "text/memory_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "firth/error.hpp"
#include "firth/inputs.hpp"
#include "text/characters.hpp"

namespace firth::text {
namespace {

// Bytes of an object that the source keeps alive.
class BytesInMemory final : public RawSource {
 public:
  BytesInMemory(std::string name, std::shared_ptr<const std::string> bytes)
      : RawSource(std::move(name)), bytes_(std::move(bytes)) {}

 protected:
  std::size_t read_some(char* data, std::size_t size) override {
    return bytes_->copy(data, size, static_cast<std::size_t>(position()));
  }

 private:
  std::shared_ptr<const std::string> bytes_;
};

class TextInput final : public MemoryInput {
 public:
  TextInput(std::string text, std::string given_name)
      : MemoryInput(std::move(given_name), false, true),
        bytes_(std::make_shared<const std::string>(std::move(text))) {}

  std::unique_ptr<RawSource> open() override { return std::make_unique<BytesInMemory>(name, bytes_); }
  std::uint64_t size() const override { return bytes_->size(); }

 private:
  std::shared_ptr<const std::string> bytes_;
};

class CalledBytes final : public RawSource {
 public:
  CalledBytes(std::string name, ByteCallback read) : RawSource(std::move(name)), read_(std::move(read)) {}

 protected:
  std::size_t read_some(char* data, std::size_t size) override {
    const std::size_t got = ended_ ? 0 : std::min(read_(data, size), size);
    ended_ = got == 0;
    return got;
  }

 private:
  ByteCallback read_;
  bool ended_ = false;  // then nobody calls again
};

// What a callback gives, once.
class OnceInput : public MemoryInput {
 public:
  OnceInput(std::string given_name, bool is_tokens) : MemoryInput(std::move(given_name), is_tokens, false) {}

 protected:
  void take() {
    if (taken_.exchange(true)) {
      throw UsageError(fmt::format("{}: these inputs were read before", name),
                       "what comes from a callback can be read once: make new inputs");
    }
  }

 private:
  std::atomic<bool> taken_ = false;
};

class CallbackInput final : public OnceInput {
 public:
  CallbackInput(ByteCallback read, std::string given_name)
      : OnceInput(std::move(given_name), false), read_(std::move(read)) {}

  std::unique_ptr<RawSource> open() override {
    if (begun_ != nullptr) return std::move(begun_);
    take();
    return std::make_unique<CalledBytes>(name, read_);
  }
  void put_back(std::unique_ptr<RawSource> source) override { begun_ = std::move(source); }

 private:
  ByteCallback read_;
  std::unique_ptr<RawSource> begun_;
};

// Adds the words of the next sequence to `line`, each after a blank; false at the end.
using NextLine = std::function<bool(std::uint64_t item, std::string& line)>;

// A sequence per line: so a place in the bytes is a place in the sequences.
class SequenceLines final : public RawSource {
 public:
  SequenceLines(std::string name, NextLine next) : RawSource(std::move(name)), next_(std::move(next)) {}

 protected:
  std::size_t read_some(char* data, std::size_t size) override {
    if (used_ == line_.size()) {
      line_.clear();
      used_ = 0;
      if (!next_(++item_, line_)) return 0;
      if (!line_.empty()) line_.erase(0, 1);
      line_ += '\n';
    }
    const std::size_t got = std::min(size, line_.size() - used_);
    std::memcpy(data, line_.data() + used_, got);
    used_ += got;
    return got;
  }

 private:
  NextLine next_;
  std::uint64_t item_ = 0;
  std::string line_;
  std::size_t used_ = 0;
};

void add_token(const SourceLocation& item, std::size_t place, std::string_view token, std::string& line) {
  if (token.empty()) {
    throw InputError(item, fmt::format("token {} is empty", place + 1), "leave it out");
  }
  if (std::any_of(token.begin(), token.end(), is_space)) {
    throw InputError(item, fmt::format("token {} has white space in it", place + 1),
                     "split it, or put another character in its place");
  }
  line += ' ';
  line += token;
}

void add_tokens(const SourceLocation& item, const std::vector<std::string>& tokens, std::string& line) {
  for (std::size_t i = 0; i < tokens.size(); ++i) add_token(item, i, tokens[i], line);
}

using SharedNames = std::shared_ptr<const std::vector<std::string>>;

void add_ids(const SourceLocation& item, const std::vector<std::uint32_t>& ids, const SharedNames& names,
             std::string& line) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (names->empty()) {
      line += fmt::format(" {}", ids[i]);
    } else if (ids[i] < names->size()) {
      add_token(item, i, (*names)[ids[i]], line);
    } else {
      throw InputError(item, fmt::format("id {} has no name: there are {} names", ids[i], names->size()),
                       "ids count from 0");
    }
  }
}

// Sequences that are all there.
template <typename Sequence, typename Add>
class ListInput final : public MemoryInput {
 public:
  ListInput(std::vector<Sequence> sequences, std::string given_name, Add add)
      : MemoryInput(std::move(given_name), true, true),
        sequences_(std::make_shared<const std::vector<Sequence>>(std::move(sequences))),
        add_(std::move(add)) {}

  std::unique_ptr<RawSource> open() override {
    return std::make_unique<SequenceLines>(
        name, [list = sequences_, add = add_, own_name = name](std::uint64_t item, std::string& line) {
          if (item > list->size()) return false;
          add({own_name, item}, (*list)[item - 1], line);
          return true;
        });
  }

 private:
  std::shared_ptr<const std::vector<Sequence>> sequences_;
  Add add_;
};

// Sequences that are asked for one by one.
template <typename Sequence, typename Add>
class PulledInput final : public OnceInput {
 public:
  PulledInput(std::function<bool(Sequence&)> next, std::string given_name, Add add)
      : OnceInput(std::move(given_name), true), next_(std::move(next)), add_(std::move(add)) {}

  std::unique_ptr<RawSource> open() override {
    take();
    return std::make_unique<SequenceLines>(
        name, [next = next_, add = add_, own_name = name, sequence = Sequence()](std::uint64_t item,
                                                                                 std::string& line) mutable {
          if (!next(sequence)) return false;
          add({own_name, item}, sequence, line);
          return true;
        });
  }

 private:
  std::function<bool(Sequence&)> next_;
  Add add_;
};

using Tokens = std::vector<std::string>;
using Ids = std::vector<std::uint32_t>;
using AddTokens = std::function<void(const SourceLocation&, const Tokens&, std::string&)>;
using AddIds = std::function<void(const SourceLocation&, const Ids&, std::string&)>;

AddIds with_names(std::vector<std::string> names) {
  const SharedNames kept = std::make_shared<const std::vector<std::string>>(std::move(names));
  return [kept](const SourceLocation& item, const Ids& ids, std::string& line) {
    add_ids(item, ids, kept, line);
  };
}

}  // namespace
}  // namespace firth::text

namespace firth {

Inputs::Inputs(const char* path) : paths_{path} {}

Inputs::Inputs(std::string path) : paths_{std::move(path)} {}

Inputs::Inputs(std::string_view path) : paths_{std::string(path)} {}

Inputs::Inputs(std::initializer_list<std::string> paths) : paths_(paths) {}

Inputs::Inputs(std::vector<std::string> paths) : paths_(std::move(paths)) {}

Inputs::Inputs(std::span<const std::string> paths) : paths_(paths.begin(), paths.end()) {}

Inputs Inputs::from_text(std::string text, std::string name) {
  return Inputs(std::make_shared<text::TextInput>(std::move(text), std::move(name)));
}

Inputs Inputs::from_bytes(ByteCallback read, std::string name) {
  return Inputs(std::make_shared<text::CallbackInput>(std::move(read), std::move(name)));
}

Inputs Inputs::from_tokens(std::vector<std::vector<std::string>> sequences, std::string name) {
  using List = text::ListInput<text::Tokens, text::AddTokens>;
  return Inputs(std::make_shared<List>(std::move(sequences), std::move(name), text::add_tokens));
}

Inputs Inputs::from_tokens(TokenCallback next, std::string name) {
  using Pulled = text::PulledInput<text::Tokens, text::AddTokens>;
  return Inputs(std::make_shared<Pulled>(std::move(next), std::move(name), text::add_tokens));
}

Inputs Inputs::from_ids(std::vector<std::vector<std::uint32_t>> sequences, std::vector<std::string> names,
                        std::string name) {
  using List = text::ListInput<text::Ids, text::AddIds>;
  return Inputs(
      std::make_shared<List>(std::move(sequences), std::move(name), text::with_names(std::move(names))));
}

Inputs Inputs::from_ids(IdCallback next, std::vector<std::string> names, std::string name) {
  using Pulled = text::PulledInput<text::Ids, text::AddIds>;
  return Inputs(
      std::make_shared<Pulled>(std::move(next), std::move(name), text::with_names(std::move(names))));
}

}  // namespace firth
