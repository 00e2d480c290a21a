#pragma once
// The head of accrete deep boost: its defaults, and the fit.

#include <optional>
#include <string>

#include "accrete/boosting/fit.hpp"
#include "accrete/deep/signature.hpp"
#include "accrete/tune/grid.hpp"
#include "cli/support/options.hpp"

namespace accrete::cli {

struct HeadOptions {
  boosting::FitOptions fit;
  bool may_lower_alpha = false;  ///< alpha is a default, which may be too large for these features
};

/// Options without defaults by the features: those given, 500 units and no automatic choice.
boosting::FitOptions given_head_options(const GivenParameters& given, const std::string& preset, data::Task task);

/// `options` with the defaults for wide features (config/wide_features.hpp), like accrete.torch.BoostedHead. Parameters
/// that the grid of a search varies are not set; if it varies the solver, the preset's defaults are kept.
HeadOptions head_options(boosting::FitOptions options, const data::Table& features, const tune::Grid& grid = {});

/// Takes the penalty of a checkpoint that a fit with a halved default penalty wrote.
void resume_head(HeadOptions& options, const model::Model& checkpoint);

/// Fits the head; halves a default penalty with which it learns nothing and fits again.
boosting::FitResult fit_head(const data::Table& features, HeadOptions options, const boosting::Observer& observer);

}  // namespace accrete::cli
