#include <filesystem>
#include <system_error>

#include "base/files.hpp"
#include "cluster/io/firth_folder.hpp"
#include "cluster/io/formats.hpp"
#include "firth/clustering.hpp"
#include "firth/error.hpp"

namespace firth {
namespace {

void write(const Clustering& clustering, ClusterFormat format, const cluster::Sink& sink) {
  if (clustering.word_count() == 0) throw UsageError("there is no word to write");
  switch (format) {
    case ClusterFormat::paths:
      return cluster::write_paths(clustering, sink);
    case ClusterFormat::classes:
      return cluster::write_classes(clustering, sink);
    case ClusterFormat::merges:
      return cluster::write_merges(clustering, sink);
    case ClusterFormat::srilm:
      return cluster::write_srilm(clustering, sink);
    case ClusterFormat::clark:
      return cluster::write_clark(clustering, sink);
    case ClusterFormat::json:
      return cluster::write_json(clustering, sink);
    case ClusterFormat::firth:
      throw UsageError("the firth format is a folder", "give the name of a folder to write it to");
    case ClusterFormat::automatic:
      break;
  }
  throw UsageError("no format was given to write", "paths, classes, merges, srilm, clark, json or firth");
}

}  // namespace

Clustering parse_clustering(std::string_view text, const std::string& name, ClusterFormat format) {
  using cluster::ColumnOrder;
  using cluster::Columns;
  using cluster::TextTable;
  const bool told = format != ClusterFormat::automatic;
  switch (told ? format : cluster::detect_format(text, name)) {
    case ClusterFormat::paths:
      return cluster::read_paths(TextTable(text, name));
    case ClusterFormat::classes:
      return cluster::read_classes(TextTable(text, name),
                                   told ? ColumnOrder::word_first : ColumnOrder::detect);
    case ClusterFormat::merges:
      return cluster::read_merges(TextTable(text, name));
    case ClusterFormat::srilm:
      return cluster::read_srilm(TextTable(text, name, Columns::white_space));
    case ClusterFormat::clark:
      return cluster::read_clark(TextTable(text, name));
    case ClusterFormat::json:
      return cluster::read_json(text, name);
    case ClusterFormat::firth:
    case ClusterFormat::automatic:
      break;
  }
  throw UsageError("the firth format is a folder", "give the name of a folder to read it from");
}

std::string format_clustering(const Clustering& clustering, ClusterFormat format) {
  std::string text;
  write(clustering, format, [&text](std::string_view bytes) { text += bytes; });
  return text;
}

Clustering load_clustering(const std::string& path, ClusterFormat format) {
  std::error_code ignored;  // what cannot be looked at cannot be opened either, and opening says why
  const bool folder = std::filesystem::is_directory(path, ignored);
  if (folder && (format == ClusterFormat::automatic || format == ClusterFormat::firth)) {
    return cluster::read_folder(path);
  }
  if (format == ClusterFormat::firth) {
    throw InputError({path}, "this is not a folder", "the firth format is a folder that firth cluster wrote");
  }
  return parse_clustering(cluster::read_bytes(path), path == "-" ? "standard input" : path, format);
}

void save_clustering(const std::string& path, const Clustering& clustering, ClusterFormat format) {
  if (format == ClusterFormat::firth) {
    if (clustering.word_count() == 0) throw UsageError("there is no word to write");
    return cluster::write_folder(path, clustering);
  }
  base::OutputFile file(path);
  write(clustering, format, [&file](std::string_view bytes) { file.write(bytes); });
  file.commit();
}

}  // namespace firth
