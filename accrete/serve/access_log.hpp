#pragma once
// The access log: one JSON object per line.

#include <string>

#include "accrete/serve/http_server.hpp"
#include "accrete/serve/repository.hpp"

namespace accrete::serve {

/// {"time":"2026-01-31T12:00:00.123Z","remote":...} and a line end. Texts of the client are escaped.
std::string log_line(const AccessRecord& record);
/// The same for a change of the models.
std::string log_line(const RepositoryEvent& event);

}  // namespace accrete::serve
