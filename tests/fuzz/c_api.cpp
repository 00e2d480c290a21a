// Calls of the C functions on a small model, chosen by the bytes: any call in any order with any numbers is answered.

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "accrete/c/accrete.h"
#include "accrete/io/model_file.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/io/sample_model.hpp"

namespace accrete::fuzz {
namespace {

class Caller {
 public:
  explicit Caller(Bytes bytes) : bytes_(bytes) {
    static const std::vector<std::string> files{io::serialise(io::small_model()), io::serialise(io::binary_model()),
                                                io::serialise(io::multiclass_model())};
    const std::string& file = files[take_byte(bytes_) % files.size()];
    require(accrete_load_bytes(file.data(), file.size(), &model_, error_, sizeof error_) == ACCRETE_OK, error_);
  }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;
  ~Caller() { accrete_free(model_); }

  bool is_done() const { return bytes_.empty(); }

  void call() {
    const std::size_t number = take_number();
    switch (take_byte(bytes_) % 10) {
      case 0:
        predict(number);
        break;
      case 1:
        check_text(accrete_class_name(model_, number));
        break;
      case 2:
        check_text(accrete_input_name(model_, number));
        break;
      case 3:
        check_text(accrete_input_kind(model_, number));
        break;
      case 4:
        check_text(accrete_level_name(model_, number, take_number()));
        break;
      case 5:
        check_text(accrete_target_name(model_, number));
        break;
      case 6:
        accrete_level(model_, number, take_text().c_str());
        break;
      case 7:
        accrete_units_after(model_, number);
        break;
      case 8:
        load(take_text());
        break;
      default:
        accrete_levels(model_, number);
        break;
    }
  }

 private:
  /// Small, huge or anything.
  std::size_t take_number() {
    const std::uint8_t kind = take_byte(bytes_);
    if (kind < 128) return kind % 16;
    if (kind < 160) return std::numeric_limits<std::size_t>::max() - kind % 4;
    std::size_t number = 0;
    std::memcpy(&number, bytes_.data(), std::min(bytes_.size(), sizeof number));
    return number;
  }

  std::string take_text() {
    const std::size_t wanted = take_byte(bytes_), size = std::min(wanted, bytes_.size());
    const std::string text(as_text(bytes_.first(size)));
    bytes_ = bytes_.subspan(size);
    return text;
  }

  void predict(std::size_t units) {
    const std::size_t rows = take_byte(bytes_) % 70, inputs = accrete_inputs(model_);
    std::vector<float> x(rows * inputs);
    const std::size_t size = std::min(x.size() * sizeof(float), bytes_.size());
    if (size > 0) std::memcpy(x.data(), bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
    std::vector<double> out(rows * accrete_outputs(model_));
    const accrete_status status = accrete_predict(model_, x.data(), rows, units, out.data(), error_, sizeof error_);
    require(status != ACCRETE_INTERNAL_ERROR, error_);
    require(status == ACCRETE_OK || std::strlen(error_) > 0, "an error has a message");
    if (status == ACCRETE_OK && rows > 0) check_text(accrete_label(model_, out.data()));
  }

  void load(const std::string& bytes) {
    accrete_model* other = nullptr;
    const accrete_status status = accrete_load_bytes(bytes.data(), bytes.size(), &other, error_, 1 + bytes.size() % 9);
    require((status == ACCRETE_OK) == (other != nullptr), "a model is set if and only if it was loaded");
    accrete_free(other);
  }

  /// Reads it to its end, which the sanitizer watches.
  static void check_text(const char* text) {
    if (text) require(std::strlen(text) < 1000, "a text ends");
  }

  Bytes bytes_;
  accrete_model* model_ = nullptr;
  char error_[256] = "";
};

}  // namespace

void fuzz_c_api(Bytes bytes) {
  Caller caller(bytes);
  while (!caller.is_done()) caller.call();
}

}  // namespace accrete::fuzz
