#include "cluster/exchange/search_messages.hpp"

namespace firth::exchange {

void put_log(base::MessageWriter& writer, std::span<const IterationStats> lines) {
  writer.put(std::uint64_t{lines.size()});
  for (const IterationStats& line : lines) {
    writer.put_text(line.stage);
    writer.put(line.classes);
    writer.put(line.moved);
    writer.put(line.ami_bits);
    writer.put(line.seconds);
  }
}

std::vector<IterationStats> get_log(base::MessageReader& reader) {
  std::vector<IterationStats> lines(reader.get<std::uint64_t>());
  for (IterationStats& line : lines) {
    line.stage = reader.get_text();
    line.classes = reader.get<std::uint64_t>();
    line.moved = reader.get<std::uint64_t>();
    line.ami_bits = reader.get<double>();
    line.seconds = reader.get<double>();
  }
  return lines;
}

void put_snapshot(base::MessageWriter& writer, const SearchSnapshot& snapshot) {
  writer.put(snapshot.place);
  writer.put(snapshot.next);
  writer.put(snapshot.finished);
  writer.put(snapshot.classes);
  writer.put(snapshot.failures);
  writer.put(snapshot.kept_objective);
  writer.put(snapshot.parts_objective);
  writer.put_all(snapshot.class_of);
  writer.put_all(snapshot.kept);
  writer.put_all(snapshot.known);
  writer.put(snapshot.context.rng);
  writer.put_all(snapshot.context.order);
  writer.put_all(snapshot.context.frozen_for);
  put_log(writer, snapshot.context.history);
}

SearchSnapshot get_snapshot(base::MessageReader& reader) {
  SearchSnapshot snapshot;
  snapshot.place = reader.get<std::uint64_t>();
  snapshot.next = reader.get<std::uint64_t>();
  snapshot.finished = reader.get<bool>();
  snapshot.classes = reader.get<ClassId>();
  snapshot.failures = reader.get<std::uint32_t>();
  snapshot.kept_objective = reader.get<std::int64_t>();
  snapshot.parts_objective = reader.get<std::int64_t>();
  reader.get_all(snapshot.class_of);
  reader.get_all(snapshot.kept);
  reader.get_all(snapshot.known);
  snapshot.context.rng = reader.get<std::array<std::uint64_t, 4>>();
  reader.get_all(snapshot.context.order);
  reader.get_all(snapshot.context.frozen_for);
  snapshot.context.history = get_log(reader);
  return snapshot;
}

}  // namespace firth::exchange
