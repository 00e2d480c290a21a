// The body of an inference request, as JSON with tensors in binary behind it.

#include <string>

#include "accrete/serve/infer_request.hpp"
#include "accrete/serve/request_rows.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/io/sample_model.hpp"

namespace accrete::fuzz {

void fuzz_request(Bytes bytes) {
  static const auto binary = serve::make_served_model("m", "1", "m.safetensors", io::binary_model());
  static const auto numeric = serve::make_served_model("n", "1", "n.safetensors", io::small_model());
  const std::uint8_t kind = take_byte(bytes);
  const std::string_view body = as_text(bytes);
  std::optional<std::size_t> json_size;
  // The client says where the JSON ends; here it is the last brace.
  if (kind & 1) json_size = body.rfind('}') == body.npos ? body.size() + (kind >> 4) : body.rfind('}') + 1;
  constexpr std::size_t max_rows = 100;
  const serve::ServedModel& served = kind & 2 ? *numeric : *binary;
  refusal([&] {
    const serve::InferRequest request = serve::parse_infer_request(body, json_size, {.max_rows = max_rows});
    for (const serve::Tensor& input : request.inputs)
      require(input.size() == serve::element_count(input.shape), "a tensor has the elements of its shape");
    const serve::RequestRows rows = serve::read_rows(served, request);
    require(rows.rows() <= max_rows, "a request has at most max_rows rows");
    require(rows.raw.cols() == served.model.encoder.inputs().size(), "a row has a number for every input");
  });
}

}  // namespace accrete::fuzz
