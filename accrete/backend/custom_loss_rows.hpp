#pragma once
// Training rows with a custom loss (loss/custom.hpp), on top of any backend.

#include <memory>

#include "accrete/backend/rows.hpp"
#include "accrete/loss/custom.hpp"

namespace accrete::backend {

/// Wraps the rows of a backend. Steps fit the residuals that the loss returns, computed once per step;
/// StepObjective::loss calls it in every evaluation. Keeps references to the problem's dataset and workers.
std::unique_ptr<TrainingRows> make_custom_loss_rows(const TrainingProblem& problem,
                                                    std::shared_ptr<const loss::CustomLoss> loss,
                                                    std::unique_ptr<TrainingRows> rows);

}  // namespace accrete::backend
