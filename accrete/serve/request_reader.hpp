#pragma once
// Builds an InferRequest from the values of its JSON, one by one. Internal to infer_request.cpp.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accrete/serve/infer_request.hpp"
#include "accrete/serve/json_events.hpp"

namespace accrete::serve {

/// Every value has a place in the document; values in places that the protocol does not define are rejected.
class RequestReader : private JsonEvents {
 public:
  explicit RequestReader(const ParseLimits& limits) : limits_(limits) {}

  /// Throws RequestError. Inputs without data are expected in binary form.
  InferRequest read(std::string_view json);
  /// For each input, whether its data is in the JSON.
  const std::vector<bool>& has_data() const { return has_data_; }

 private:
  enum class Place { start, request, parameters, inputs, input, shape, data, outputs, output };

  void null() override;
  void boolean(bool value) override;
  void number_integer(std::int64_t value) override;
  void number_unsigned(std::uint64_t value) override;
  void decimals(std::span<const double> values) override;
  void string(std::string_view value) override;
  void start_object() override;
  void key(std::string_view name) override;
  void end_object() override;
  void start_array() override;
  void end_array() override;

  [[noreturn]] void refuse(const std::string& why) const;
  void add_number(double value) { add_numbers({&value, 1}); }
  void add_numbers(std::span<const double> values);  ///< adds elements of data
  void set_parameter(Parameter value);
  void finish_input();
  static std::span<const std::string_view> known_keys(Place place);
  std::string here() const;  ///< "input 'age'", "parameters"

  const ParseLimits limits_;
  InferRequest request_;
  std::vector<Place> places_{Place::start};
  std::vector<std::vector<std::string>> keys_;  ///< of the open objects, to reject duplicates
  std::string key_;
  Parameters* parameters_ = nullptr;  ///< filled by the open parameters object
  std::vector<bool> has_data_;
  // The open input:
  Tensor tensor_;
  bool has_shape_ = false, has_values_ = false, has_numbers_ = false, has_booleans_ = false;
  std::size_t depth_ = 0;                    ///< open arrays in its data
  std::size_t row_length_ = 0, in_row_ = 0;  ///< nested data: length of the first list and of the open one
};

}  // namespace accrete::serve
