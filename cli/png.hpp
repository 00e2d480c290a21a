#pragma once
// What canvas.cpp and png.cpp share of cairo.

#include <cairo.h>

#include <string>

#include "cli/canvas.hpp"

namespace accrete::cli {

/// Throws core::Error when the surface is in an error state.
std::string png_bytes(cairo_surface_t* surface);

/// To be destroyed by the caller.
cairo_surface_t* surface_of(const Picture& picture);

}  // namespace accrete::cli
