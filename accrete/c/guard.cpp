#include "accrete/c/guard.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <string>

#include "accrete/core/error.hpp"

namespace accrete::c {

void ErrorText::write(std::string_view text) const noexcept {
  if (!room || size == 0) return;
  std::size_t length = std::min(text.size(), size - 1);
  const auto inside_character = [&] { return (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80; };
  while (length > 0 && length < text.size() && inside_character()) --length;
  std::copy_n(text.data(), length, room);
  room[length] = '\0';
}

accrete_status caught(const ErrorText& error) noexcept {
  const auto say = [&](const char* text, accrete_status status) { return error.write(text), status; };
  try {
    std::rethrow_exception(std::current_exception());
  } catch (const core::UsageError& e) {
    return say(e.what(), ACCRETE_USAGE_ERROR);
  } catch (const core::DataError& e) {
    return say(e.what(), ACCRETE_DATA_ERROR);
  } catch (const core::FileError& e) {
    return say(e.what(), ACCRETE_FILE_ERROR);
  } catch (const std::bad_alloc&) {
    return say("out of memory", ACCRETE_INTERNAL_ERROR);
  } catch (const std::exception& e) {
    return say(e.what(), ACCRETE_INTERNAL_ERROR);
  } catch (...) {
    return say("an error without a name", ACCRETE_INTERNAL_ERROR);
  }
}

void refuse_null(const char* function, const char* name) {
  throw core::UsageError(std::string(function) + ": " + name + " is NULL");
}

}  // namespace accrete::c
