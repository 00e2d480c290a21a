#include "accrete/model/overflow.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/core/row.hpp"

namespace accrete::model {

void refuse_overflow(core::MatrixView<const double> predictions, std::string_view source) {
  for (std::size_t i = 0; i < predictions.flat().size(); ++i)
    if (!(std::abs(predictions.flat()[i]) < std::numeric_limits<double>::max()))
      throw core::DataError(
          core::message("{}: {}: the prediction overflows double precision; check the row's numbers and offset", source,
                        core::row(i / predictions.cols)));
}

}  // namespace accrete::model
