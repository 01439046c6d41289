#include "firth/error.hpp"

#include <fmt/format.h>

#include <cstring>

#include "firth/printable.hpp"

namespace firth {
namespace {

std::string compose(const SourceLocation& where, std::string_view problem, std::string_view hint) {
  std::string message = printable(where.path);
  if (where.line > 0) message += fmt::format(":{}", where.line);
  if (where.column > 0) message += fmt::format(":{}", where.column);
  if (!message.empty()) message += ": ";
  message += message_text(problem);
  if (!hint.empty()) message += fmt::format("; {}", hint);
  return message;
}

}  // namespace

Error::Error(ErrorCode code, const SourceLocation& where, std::string_view problem, std::string_view hint)
    : std::runtime_error(compose(where, problem, hint)), code_(code), where_(where), hint_(hint) {}

IoError::IoError(std::string path, std::string_view action, int error_number, std::string_view hint)
    : Error(ErrorCode::io, {std::move(path)}, fmt::format("{}: {}", action, std::strerror(error_number)),
            hint),
      error_number_(error_number) {}

}  // namespace firth
