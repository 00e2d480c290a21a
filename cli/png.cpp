// Pixels to PNG bytes, and bytes to a data URI.

#include "cli/png.hpp"

#include "accrete/core/base64.hpp"
#include "accrete/core/error.hpp"

namespace accrete::cli {

std::string png_bytes(cairo_surface_t* surface) {
  std::string bytes;
  const auto append = [](void* to, const unsigned char* data, unsigned size) {
    static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), size);
    return CAIRO_STATUS_SUCCESS;
  };
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface, append, &bytes);
  if (status != CAIRO_STATUS_SUCCESS)
    throw core::Error(std::string("the picture cannot be drawn: ") + cairo_status_to_string(status));
  return bytes;
}

cairo_surface_t* surface_of(const Picture& picture) {
  const auto width = static_cast<int>(picture.width), height = static_cast<int>(picture.height);
  cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
  unsigned char* data = cairo_image_surface_get_data(surface);
  if (!data) return surface;  // in its error state, which whoever uses it meets
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface));
  for (std::size_t y = 0; y < picture.height; ++y) {
    auto* row = reinterpret_cast<std::uint32_t*>(data + y * stride);
    for (std::size_t x = 0; x < picture.width; ++x) {
      const Rgb c = picture.pixels[y * picture.width + x];
      row[x] = static_cast<std::uint32_t>(c.red) << 16 | static_cast<std::uint32_t>(c.green) << 8 | c.blue;
    }
  }
  cairo_surface_mark_dirty(surface);
  return surface;
}

std::string png_uri(const Picture& picture) {
  cairo_surface_t* surface = surface_of(picture);
  std::string bytes;
  try {
    bytes = png_bytes(surface);
  } catch (...) {
    cairo_surface_destroy(surface);
    throw;
  }
  cairo_surface_destroy(surface);
  return "data:image/png;base64," + core::base64(bytes);
}

}  // namespace accrete::cli
