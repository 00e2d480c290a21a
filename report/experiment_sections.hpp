#pragma once
// The sections of the experiments' report, one file each; experiment_page.hpp puts them together.

#include "report/experiment_page.hpp"

namespace accrete::report {

/// THE TABLE: every task and method, the paper's figure below ours.
void add_score_table(Document& document, const ProfileTable& table);
/// What was chosen among; what is missing.
void add_protocol(Document& document, const ProfileTable& table);
/// Demšar's diagrams.
void add_rank_diagrams(Document& document, const ProfileTable& table);
/// The boosted network against each other method, task by task.
void add_wins(Document& document, const ProfileTable& table);
/// The boosted network's figures against those that the paper prints for it.
void add_beside_paper(Document& document, const ProfileTable& table);
/// How often each setting was chosen.
void add_choices(Document& document, const ProfileTable& table);

/// Those below add nothing where there are no such results.
void add_curves(Document& document, const ProfileResults& results);
void add_times(Document& document, const ProfileResults& results);
void add_boundaries(Document& document, const ProfileResults& results);

}  // namespace accrete::report
