#pragma once
// The values of a request's JSON, turned into an InferRequest one by one. Internal to infer_request.cpp.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accrete/serve/infer_request.hpp"
#include "accrete/serve/json_events.hpp"

namespace accrete::serve {

/// Every value belongs to a place in the document; a value at a place where the protocol has none is refused.
class RequestReader : private JsonEvents {
 public:
  explicit RequestReader(const ParseLimits& limits) : limits_(limits) {}

  /// Throws RequestError. Inputs without data are those that follow in binary.
  InferRequest read(std::string_view json);
  /// Whether each input had its data in the JSON.
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
  void add_numbers(std::span<const double> values);  ///< elements of data
  void set_parameter(Parameter value);
  void finish_input();
  std::string here() const;  ///< "input 'age'", "parameters"

  const ParseLimits limits_;
  InferRequest request_;
  std::vector<Place> places_{Place::start};
  std::vector<std::vector<std::string>> keys_;  ///< of the open objects, to refuse duplicates
  std::string key_;
  Parameters* parameters_ = nullptr;  ///< that an object of parameters fills
  std::vector<bool> has_data_;
  // Of the open input:
  Tensor tensor_;
  bool has_shape_ = false, has_values_ = false, has_numbers_ = false, has_booleans_ = false;
  std::size_t depth_ = 0;                    ///< open arrays of its data
  std::size_t row_length_ = 0, in_row_ = 0;  ///< of nested data: elements of the first inner list, of the open one
};

}  // namespace accrete::serve
