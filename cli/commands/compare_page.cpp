#include "cli/commands/compare_page.hpp"

#include "accrete/io/atomic_file.hpp"
#include "cli/support/print.hpp"
#include "report/pages/compare_page.hpp"

namespace accrete::cli {

void require_pages() {}

void write_compare_page(const tune::CompareResult& result, const ComparePageTask& task, const Common& common) {
  const auto gnuplot = report::Gnuplot::find();
  const report::ComparePage about{
      task.title, task.facts, task.names, {task.table.front(), {task.table.begin() + 1, task.table.end()}}, task.notes};
  io::AtomicFile file(task.output);
  file.write(report::compare_page(result, about, gnuplot).html());
  file.commit();
  if (!gnuplot)
    note(common,
         "gnuplot is not installed (Debian package gnuplot-nox): without JavaScript the page shows tables instead of "
         "charts");
}

}  // namespace accrete::cli
