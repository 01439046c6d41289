// What options of text mean.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "firth/text.hpp"
#include "text/inputs.hpp"

namespace firth::text {

/// The column of CoNLL-U that TextOptions::column names, from 0. Throws UsageError.
std::size_t conllu_column(const std::string& column);

/// The column of columns that TextOptions::column names: from 1, or negative from the last. Throws UsageError.
int word_column(const std::string& column);

/// The key of JSON lines, or the column of CSV and TSV, that has the text: TextOptions::column if it is given, else
/// TextOptions::field.
const std::string& field_name(const TextOptions& options);

/// Whether words are found in running text, and may be split further.
bool is_running_text(InputFormat format);

/// How text becomes words, in one line: CountsInfo::text_options.
std::string describe(const TextOptions& options);

/// Whether such a line is about token ids.
bool says_ids(std::string_view described);

/// The same of what models keep, and back; nothing if the text says nothing about it.
std::string describe(const Preprocessing& done);
std::optional<Preprocessing> parse_preprocessing(std::string_view text);

/// The options with the format that the files have, if it is to be found out: by the ends of their names, or
/// by their first lines; else text. Throws UsageError if they are of different formats, or have
/// one that the other options do not fit, and for tokens from memory, which are text, with another format.
TextOptions resolve_format(std::span<const InputFile> files, const TextOptions& options);

}  // namespace firth::text
