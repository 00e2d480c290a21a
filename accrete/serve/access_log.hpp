#pragma once
// The access log: one JSON object per line.

#include <string>

#include "accrete/serve/http_server.hpp"
#include "accrete/serve/repository.hpp"

namespace accrete::serve {

/// {"time":"2026-01-31T12:00:00.123Z","remote":...} and a newline. Text from the client is escaped.
std::string log_line(const AccessRecord& record);
/// The same for a change to the served models.
std::string log_line(const RepositoryEvent& event);

}  // namespace accrete::serve
