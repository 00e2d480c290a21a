// Parameters and their values, one `name=value` per line, as the command line, the Python package and grids give them.

#include <string>
#include <string_view>
#include <vector>

#include "accrete/config/parameters.hpp"
#include "tests/fuzz/targets.hpp"

namespace accrete::fuzz {

void fuzz_config(Bytes bytes) {
  std::vector<config::Setting> settings;
  for (std::string_view text = as_text(bytes); !text.empty();) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t equals = line.find('=');
    if (equals != line.npos) settings.emplace_back(line.substr(0, equals), line.substr(equals + 1));
  }
  config::Config config;
  if (!refusal([&] { config = config::parse_settings(settings); }).empty()) return;
  // The canonical spelling of a configuration is accepted and stays as it is.
  const auto canonical = config::settings_of(config);
  config::Config again;
  const std::string refused = refusal([&] { again = config::parse_settings(canonical); });
  require(refused.empty(), "the canonical spelling is refused: " + refused);
  require(config::settings_of(again) == canonical, "the canonical spelling changes when it is read");
}

}  // namespace accrete::fuzz
