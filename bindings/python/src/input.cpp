#include "input.hpp"

#include <pybind11/stl.h>

#include <cstring>
#include <firth/encoding.hpp>
#include <limits>

#include "arrays.hpp"
#include "block_queue.hpp"
#include "items.hpp"
#include "strings.hpp"

namespace firth::python {
namespace {

/// Sequences one after the other: sequence i is values[ends[i - 1] .. ends[i]).
template <class Values>
struct Sequences {
  Values values = {};
  std::vector<std::size_t> ends = {};
};

/// Fills a queue from an iterable; `Filler` puts one item into a block.
template <class Block, class Filler>
class ItemFeed : public Feed {
 public:
  ItemFeed(py::iterator items, const std::string& name, Filler filler)
      : items_(std::move(items), name), filler_(std::move(filler)) {}

  void connect(std::function<void()> wake) override { queue_.connect(std::move(wake)); }
  [[nodiscard]] bool wants_data() const override { return queue_.wants_data(); }
  void abort() override { queue_.abort(); }

  void fill() override {
    Block block;
    std::size_t bytes = 0;
    items_.begin_block();
    while (const py::object item = items_.next(bytes)) {
      bytes += filler_(items_, item, block);
    }
    if (bytes > 0) queue_.push(std::move(block));
    if (items_.is_at_end()) queue_.end();
  }

  [[nodiscard]] std::optional<Block> pop() { return queue_.pop(); }

 private:
  Items items_;
  Filler filler_;
  BlockQueue<Block> queue_;
};

struct TextFiller {
  bool check_utf8 = true;
  bool lines = true;  ///< every item ends a line

  std::size_t operator()(const Items& items, const py::object& item, std::string& block) const {
    const std::size_t before = block.size();
    if (PyUnicode_Check(item.ptr())) {
      if (!append_utf8(item.ptr(), block)) {
        items.refuse("has half of a surrogate pair, which UTF-8 cannot hold",
                     "decode it with errors='replace'");
      }
    } else if (PyBytes_Check(item.ptr())) {
      if (check_utf8) check(items, item);
      block.append(PyBytes_AS_STRING(item.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(item.ptr())));
    } else {
      items.refuse_type(item, "str or bytes", "lists of words are for tokens=");
    }
    if (lines && (block.size() == before || block.back() != '\n')) block.push_back('\n');
    return block.size() - before;
  }

 private:
  static void check(const Items& items, const py::object& item) {
    PyObject* text =
        PyUnicode_DecodeUTF8(PyBytes_AS_STRING(item.ptr()), PyBytes_GET_SIZE(item.ptr()), nullptr);
    if (text == nullptr) {
      PyErr_Clear();
      items.refuse("is not UTF-8", "convert it, or use invalid_utf8='replace'");
    }
    Py_DECREF(text);
  }
};

/// Gives blocks of text byte by byte.
class TextReader {
 public:
  using Source = ItemFeed<std::string, TextFiller>;
  explicit TextReader(std::shared_ptr<Source> source) : source_(std::move(source)) {}

  std::size_t operator()(char* data, std::size_t size) {
    if (taken_ == block_.size()) {
      std::optional<std::string> next = source_->pop();
      if (!next) return 0;
      block_ = std::move(*next);
      taken_ = 0;
    }
    const std::size_t count = std::min(size, block_.size() - taken_);
    std::memcpy(data, block_.data() + taken_, count);
    taken_ += count;
    return count;
  }

 private:
  std::shared_ptr<Source> source_;
  std::string block_;
  std::size_t taken_ = 0;
};

struct TokenFiller {
  std::size_t operator()(const Items& items, const py::object& item,
                         Sequences<std::vector<std::string>>& block) const {
    if (PyUnicode_Check(item.ptr()) || PyBytes_Check(item.ptr())) {
      items.refuse_type(item, "a sequence of words", "whole lines are for texts=");
    }
    const auto words = py::reinterpret_steal<py::object>(PySequence_Fast(item.ptr(), ""));
    if (!words) {
      PyErr_Clear();
      items.refuse_type(item, "a sequence of words", "give an iterable of lists of str");
    }
    std::size_t bytes = 1;
    PyObject** const begin = PySequence_Fast_ITEMS(words.ptr());
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(words.ptr()); ++i) {
      bytes += add_word(items, begin[i], block.values);
    }
    block.ends.push_back(block.values.size());
    return bytes;
  }

 private:
  static std::size_t add_word(const Items& items, PyObject* word, std::vector<std::string>& words) {
    if (PyUnicode_Check(word) == 0) {
      items.refuse(std::string("has a word of type ") + Py_TYPE(word)->tp_name,
                   "words are str; numbers are for ids=");
    }
    std::string& text = words.emplace_back();
    if (!append_utf8(word, text)) {
      items.refuse("has a word with half of a surrogate pair", "decode it with errors='replace'");
    }
    return text.size() + 1;
  }
};

struct IdFiller {
  std::size_t operator()(const Items& items, const py::object& item,
                         Sequences<std::vector<std::uint32_t>>& block) const {
    const std::size_t before = block.values.size();
    if (py::hasattr(item, "dtype")) {
      add_array(items, item, block.values);
    } else {
      add_sequence(items, item, block.values);
    }
    block.ends.push_back(block.values.size());
    return 4 * (block.values.size() - before) + 1;
  }

 private:
  static void add(const Items& items, long long number, std::vector<std::uint32_t>& values) {
    if (number < 0 || number > std::numeric_limits<std::uint32_t>::max()) {
      items.refuse("has the number " + std::to_string(number), "numbers of words are 0 to 4294967295");
    }
    values.push_back(static_cast<std::uint32_t>(number));
  }

  static void add_array(const Items& items, const py::object& item, std::vector<std::uint32_t>& values) {
    const auto array = py::cast<py::array>(item);
    if ((array.dtype().kind() != 'i' && array.dtype().kind() != 'u') || array.ndim() != 1) {
      items.refuse("is not a one-dimensional array of integers", "give an iterable of sequences of integers");
    }
    const auto numbers = py::array_t<long long, py::array::c_style | py::array::forcecast>::ensure(array);
    for (py::ssize_t i = 0; i < numbers.size(); ++i) add(items, numbers.data()[i], values);
  }

  static void add_sequence(const Items& items, const py::object& item, std::vector<std::uint32_t>& values) {
    const auto numbers = py::reinterpret_steal<py::object>(PySequence_Fast(item.ptr(), ""));
    if (!numbers || PyUnicode_Check(item.ptr())) {
      PyErr_Clear();
      items.refuse_type(item, "a sequence of integers", "give an iterable of sequences of integers");
    }
    PyObject** const begin = PySequence_Fast_ITEMS(numbers.ptr());
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(numbers.ptr()); ++i) {
      const long long number = PyLong_AsLongLong(begin[i]);
      if (number == -1 && PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        items.refuse(std::string("has a value of type ") + Py_TYPE(begin[i])->tp_name, "ids= takes integers");
      }
      add(items, number, values);
    }
  }
};

/// Gives blocks of sequences one sequence at a time.
template <class Value, class Source>
class SequenceReader {
 public:
  explicit SequenceReader(std::shared_ptr<Source> source) : source_(std::move(source)) {}

  bool operator()(std::vector<Value>& sequence) {
    while (taken_ == block_.ends.size()) {
      auto next = source_->pop();
      if (!next) return false;
      block_ = std::move(*next);
      taken_ = 0;
    }
    const auto begin =
        block_.values.begin() + static_cast<std::ptrdiff_t>(taken_ == 0 ? 0 : block_.ends[taken_ - 1]);
    const auto end = block_.values.begin() + static_cast<std::ptrdiff_t>(block_.ends[taken_]);
    sequence.assign(std::make_move_iterator(begin), std::make_move_iterator(end));
    ++taken_;
    return true;
  }

 private:
  std::shared_ptr<Source> source_;
  Sequences<std::vector<Value>> block_;
  std::size_t taken_ = 0;
};

}  // namespace

Input text_input(py::iterator items, const std::string& name, bool check_utf8, bool lines) {
  auto source = std::make_shared<TextReader::Source>(std::move(items), name,
                                                     TextFiller{.check_utf8 = check_utf8, .lines = lines});
  return {.inputs = Inputs::from_bytes(TextReader(source), name), .feed = source};
}

Input token_input(py::iterator items, const std::string& name) {
  using Source = ItemFeed<Sequences<std::vector<std::string>>, TokenFiller>;
  auto source = std::make_shared<Source>(std::move(items), name, TokenFiller{});
  return {.inputs = Inputs::from_tokens(SequenceReader<std::string, Source>(source), name), .feed = source};
}

Input id_input(py::iterator items, std::vector<std::string> names, const std::string& name) {
  using Source = ItemFeed<Sequences<std::vector<std::uint32_t>>, IdFiller>;
  auto source = std::make_shared<Source>(std::move(items), name, IdFiller{});
  return {.inputs = Inputs::from_ids(SequenceReader<std::uint32_t, Source>(source), std::move(names), name),
          .feed = source};
}

void bind_input(py::module_& module) {
  py::class_<Input>(module, "Input", "What a call reads.")
      .def_static("paths",
                  [](const py::iterable& paths) {
                    std::vector<std::string> names;
                    for (const py::handle& path : paths) names.push_back(from_path(path));
                    return Input{.inputs = Inputs(std::move(names))};
                  })
      .def("decoded",
           [](const Input& input, const std::string& encoding) {
             return Input{.inputs = decoded(input.inputs, encoding), .feed = input.feed};
           })
      .def_static("texts", &text_input)
      .def_static("tokens", &token_input)
      .def_static("ids", &id_input)
      .def_static("arrow", &arrow_input);
}

}  // namespace firth::python
