#include "base/file_system.hpp"
#include "cluster/io/firth_folder.hpp"
#include "cluster/io/formats.hpp"
#include "cluster/io/page_archive.hpp"
#include "firth/clustering.hpp"
#include "firth/error.hpp"
#include "text/text_file.hpp"

namespace firth {
namespace {

void write(const Clustering& clustering, ClusterFormat format, const clusters::Sink& sink) {
  if (clustering.word_count() == 0) throw UsageError("there is no word to write");
  switch (format) {
    case ClusterFormat::paths:
      return clusters::write_paths(clustering, sink);
    case ClusterFormat::classes:
      return clusters::write_classes(clustering, sink);
    case ClusterFormat::merges:
      return clusters::write_merges(clustering, sink);
    case ClusterFormat::srilm:
      return clusters::write_srilm(clustering, sink);
    case ClusterFormat::clark:
      return clusters::write_clark(clustering, sink);
    case ClusterFormat::json:
      return clusters::write_json(clustering, sink);
    case ClusterFormat::mkcls:
      return clusters::write_mkcls(clustering, sink);
    case ClusterFormat::page:
      throw UsageError("a report page is more than its classes", "write it with build_report()");
    case ClusterFormat::firth:
      throw UsageError("this format is a folder", "give the name of a folder to write it to");
    case ClusterFormat::automatic:
      break;
  }
  throw UsageError("no format was given to write",
                   "paths, classes, merges, srilm, clark, json, mkcls or firth");
}

}  // namespace

Clustering parse_clustering(std::string_view text, const std::string& name, ClusterFormat format) {
  using clusters::ColumnOrder;
  using clusters::Columns;
  using clusters::TextTable;
  const bool told = format != ClusterFormat::automatic;
  switch (told ? format : clusters::detect_format(text, name)) {
    case ClusterFormat::paths:
      return clusters::read_paths(TextTable(text, name));
    case ClusterFormat::classes:
    case ClusterFormat::mkcls:
      return clusters::read_classes(TextTable(text, name),
                                    told ? ColumnOrder::word_first : ColumnOrder::detect);
    case ClusterFormat::merges:
      return clusters::read_merges(TextTable(text, name));
    case ClusterFormat::srilm:
      return clusters::read_srilm(TextTable(text, name, Columns::white_space));
    case ClusterFormat::clark:
      return clusters::read_clark(TextTable(text, name));
    case ClusterFormat::json:
      return clusters::read_json(text, name);
    case ClusterFormat::page:
      return clusters::unpack_clustering(clusters::read_page_sections(text, name), name);
    case ClusterFormat::firth:
    case ClusterFormat::automatic:
      break;
  }
  throw UsageError("this format is a folder", "give the name of a folder to read it from");
}

std::string format_clustering(const Clustering& clustering, ClusterFormat format) {
  std::string text;
  write(clustering, format, [&text](std::string_view bytes) { text += bytes; });
  return text;
}

Clustering load_clustering(const std::string& path, ClusterFormat format, const RunOptions& run) {
  // What cannot be examined cannot be opened either, and opening says why.
  const bool folder = base::is_folder(path);
  if (folder && (format == ClusterFormat::automatic || format == ClusterFormat::firth)) {
    return clusters::read_folder(path);
  }
  if (format == ClusterFormat::firth) {
    throw InputError({path}, "this is not a folder", "this format is a folder that save_clustering() wrote");
  }
  const std::string bytes = clusters::read_bytes(path, run.stop);
  return parse_clustering(bytes, path == "-" ? "standard input" : path, format);
}

void save_clustering(const std::string& path, const Clustering& clustering, ClusterFormat format) {
  if (format == ClusterFormat::firth) {
    if (clustering.word_count() == 0) throw UsageError("there is no word to write");
    return clusters::write_folder(path, clustering);
  }
  text::TextFile file(path);
  write(clustering, format, [&file](std::string_view bytes) { file.write(bytes); });
  file.commit();
}

}  // namespace firth
