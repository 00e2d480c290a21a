#pragma once
// The sections of the experiments' report, one file each. page.cpp lists them.

#include "report/experiment/page.hpp"

namespace accrete::report {

/// The scores of all tasks and methods, above the published ones.
void add_score_table(Document& document, const ProfileTable& table);
/// The grids, remarks on the data, and missing results.
void add_protocol(Document& document, const ProfileTable& table);
/// Critical difference diagrams.
void add_rank_diagrams(Document& document, const ProfileTable& table);
/// Wins, ties and losses of the boosted network against each method.
void add_wins(Document& document, const ProfileTable& table);
/// The boosted network's scores compared with the published ones.
void add_paper_comparison(Document& document, const ProfileTable& table);
/// How often each parameter value was chosen.
void add_choices(Document& document, const ProfileTable& table);

/// These sections are omitted if there are no results.
void add_curves(Document& document, const ProfileResults& results);
void add_times(Document& document, const ProfileResults& results);
void add_boundaries(Document& document, const ProfileResults& results);

}  // namespace accrete::report
