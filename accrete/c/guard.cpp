#include "accrete/c/guard.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <string>

#include "accrete/core/error.hpp"

namespace accrete::c {

void ErrorBuffer::write(std::string_view message) const noexcept {
  if (!text || size == 0) return;
  std::size_t length = std::min(message.size(), size - 1);
  const auto inside_character = [&] { return (static_cast<unsigned char>(message[length]) & 0xC0) == 0x80; };
  while (length > 0 && length < message.size() && inside_character()) --length;
  std::copy_n(message.data(), length, text);
  text[length] = '\0';
}

accrete_status report_exception(const ErrorBuffer& error) noexcept {
  const auto report = [&](const char* message, accrete_status status) { return error.write(message), status; };
  try {
    std::rethrow_exception(std::current_exception());
  } catch (const core::UsageError& e) {
    return report(e.what(), ACCRETE_USAGE_ERROR);
  } catch (const core::DataError& e) {
    return report(e.what(), ACCRETE_DATA_ERROR);
  } catch (const core::FileError& e) {
    return report(e.what(), ACCRETE_FILE_ERROR);
  } catch (const std::bad_alloc&) {
    return report("out of memory", ACCRETE_INTERNAL_ERROR);
  } catch (const std::exception& e) {
    return report(e.what(), ACCRETE_INTERNAL_ERROR);
  } catch (...) {
    return report("unknown error", ACCRETE_INTERNAL_ERROR);
  }
}

void refuse_null(const char* function, const char* name) {
  throw core::UsageError(std::string(function) + ": " + name + " is NULL");
}

}  // namespace accrete::c
