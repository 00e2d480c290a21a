#include "accrete/tune/runs/record_bytes.hpp"

#include "accrete/tune/runs/byte_stream.hpp"

namespace accrete::tune {

std::string to_bytes(const FitRecord& record) {
  ByteWriter writer;
  writer.put_count(record.units).put(record.seconds).put_count(record.prefixes.size());
  for (const PrefixScores& prefix : record.prefixes) writer.put_count(prefix.units).put_metrics(prefix.metrics);
  return writer.take();
}

FitRecord parse_record(std::string_view bytes) {
  ByteReader reader(bytes);
  FitRecord record;
  record.units = reader.count();
  record.seconds = reader.get<double>();
  for (std::size_t left = reader.count(); left > 0; --left) {
    const std::size_t units = reader.count();
    record.prefixes.push_back({units, reader.metrics()});
  }
  reader.require_end();
  return record;
}

}  // namespace accrete::tune
