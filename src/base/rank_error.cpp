#include "base/rank_error.hpp"

#include <fmt/format.h>

#include <new>
#include <string>

#include "base/message.hpp"
#include "firth/error.hpp"

namespace firth::base {
namespace {

/// An error as it travels.
struct ErrorText {
  ErrorCode code = ErrorCode::world;
  SourceLocation where = {};
  std::string problem;
  std::string hint = {};
};

bool is_about_data(ErrorCode code) {
  return code == ErrorCode::input || code == ErrorCode::format || code == ErrorCode::usage ||
         code == ErrorCode::cancelled;
}

ErrorText describe(const std::exception_ptr& error, unsigned rank) {
  ErrorText text;
  try {
    std::rethrow_exception(error);
  } catch (const Error& known) {
    text = {known.code(), known.where(), problem_of(known), known.hint()};
  } catch (const std::bad_alloc&) {
    text = {ErrorCode::resource, {}, "out of memory"};
  } catch (const std::exception& other) {
    text.problem = other.what();
  }
  if (!is_about_data(text.code)) text.problem += fmt::format(" (on rank {})", rank);
  return text;
}

std::vector<std::byte> packed(const ErrorText& text) {
  MessageWriter writer;
  writer.put(text.code);
  writer.put_text(text.where.path);
  writer.put(text.where.line);
  writer.put(text.where.column);
  writer.put_text(text.problem);
  writer.put_text(text.hint);
  return writer.take();
}

[[noreturn]] void throw_packed(const std::vector<std::byte>& message) {
  MessageReader reader(message);
  const auto code = reader.get<ErrorCode>();
  SourceLocation where{reader.get_text()};
  where.line = reader.get<std::uint64_t>();
  where.column = reader.get<std::uint64_t>();
  const std::string problem = reader.get_text();
  const std::string hint = reader.get_text();
  if (code == ErrorCode::cancelled) throw Cancelled();
  if (code == ErrorCode::input) throw InputError(where, problem, hint);
  throw Error(code, where, problem, hint);
}

}  // namespace

std::string problem_of(const Error& error) {
  std::string text = error.what();
  const SourceLocation& where = error.where();
  std::string place = where.path;
  if (where.line > 0) place += fmt::format(":{}", where.line);
  if (where.column > 0) place += fmt::format(":{}", where.column);
  if (!place.empty() && text.starts_with(place + ": ")) text.erase(0, place.size() + 2);
  const std::string end = "; " + error.hint();
  if (!error.hint().empty() && text.ends_with(end)) text.erase(text.size() - end.size());
  return text;
}

void share_error(const Ranks& ranks, const std::exception_ptr& own) {
  if (ranks.alone()) {
    if (own) std::rethrow_exception(own);
    return;
  }
  if (ranks.any(own ? 1 : 0) == 0) return;
  const auto all =
      ranks.gather_messages(own ? packed(describe(own, ranks.rank())) : std::vector<std::byte>());
  for (const auto& message : all) {
    if (!message.empty()) throw_packed(message);
  }
}

}  // namespace firth::base
