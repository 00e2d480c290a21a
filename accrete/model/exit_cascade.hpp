#pragma once
// Passes rows through the network from exit to exit. Rows that have not stopped are gathered into dense tiles, so that
// a row costs only the units it needs. Internal to model/ and boosting/.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "accrete/core/aligned.hpp"
#include "accrete/model/model.hpp"
#include "accrete/model/predict_source.hpp"

namespace accrete::model {

/// A tile of rows that have reached an exit.
struct ExitTile {
  std::size_t stage;                  ///< index of the exit; equals the number of exits after all units
  std::span<const std::size_t> rows;  ///< their indices in the batch
  const double* scores;               ///< score k of row r is scores[k * stride + r]
  std::size_t stride;                 ///< a multiple of 64
  std::span<std::uint8_t> stops;      ///< per row, initially 0; set to 1 to stop the row; ignored after all units

  /// Copies the scores of one row to `into`.
  void copy_scores(std::size_t row, std::span<double> into) const {
    for (std::size_t k = 0; k < into.size(); ++k) into[k] = scores[k * stride + row];
  }
};

/// Runs on one thread. Rows reach an exit in any order; the scores of a row do not depend on the other rows.
class ExitCascade {
 public:
  using Visit = std::function<void(const ExitTile&)>;

  /// exits: in steps, ascending, less than the network's. rows: of the whole batch. Keeps references to the model and
  /// to visit.
  ExitCascade(const Model& model, std::span<const std::size_t> exits, std::size_t rows, const Visit& visit);

  std::size_t tile_rows() const { return tile_rows_; }

  /// Adds at most tile_rows() rows. Rows may wait at an exit until its tile is full. Returns false if a value is
  /// infinite.
  template <class Source>
  bool add(const Source& source, RowRange range) {
    Stage& first = stages_.front();
    const bool finite = tables_ ? source.find_codes(*tables_, range, first.codes.data(), raw_.data())
                                : source.encode(range, first.features.data(), tile_rows_);
    if (!finite) return false;
    enter(range);
    return true;
  }

  /// Runs all waiting rows until they stop.
  void finish();

 private:
  /// A tile of rows waiting for the units up to an exit.
  struct Stage {
    std::size_t steps, first_unit, last_unit;
    std::vector<std::size_t> rows;
    core::AlignedVector<float> features, partial;  ///< used with dense weights
    std::vector<network::TableCode> codes;         ///< used with lookup tables: rows x columns
    core::AlignedVector<double> sums, scores;
    std::vector<std::uint8_t> stops;
    std::vector<std::size_t> active;
  };
  void enter(RowRange range);
  void run(std::size_t stage);
  void add_units(Stage& stage);
  void move(const Stage& from, std::span<const std::size_t> active, Stage& to) const;

  const Model& model_;
  const Visit& visit_;
  const network::PredictTables* tables_;
  std::size_t tile_rows_;
  std::vector<Stage> stages_;  ///< one per exit, then all units
  std::vector<float> raw_;
};

/// Passes all rows of a table through one cascade per thread. Throws as predict does, and UsageError for a table whose
/// columns are all sparse. visit is called on several threads.
void run_exits(const Model& model, const data::Table& table, std::span<const std::size_t> exits, core::Workers& workers,
               const ExitCascade::Visit& visit);
void run_exits(const Model& model, core::MatrixView<const float> raw, std::span<const std::size_t> exits,
               core::Workers& workers, const ExitCascade::Visit& visit);

}  // namespace accrete::model
