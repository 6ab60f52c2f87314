#include "report/report_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/svg_plot.h"

namespace hmtc {
namespace {

double test_micro(const RunResult& run) { return run.test.combined.micro; }

std::string tooltip(const std::string& row, const std::string& what, double value) {
  return fmt::format("{}, {}: {:.4f}", row, what, value);
}

void add_defined(std::vector<double>& values, double value) {
  if (!std::isnan(value)) values.push_back(value);
}

/// The ends of mean ± deviation; of a single value the value itself.
void add_ends(std::vector<double>& values, const Spread& spread) {
  const double deviation = std::isnan(spread.deviation) ? 0 : spread.deviation;
  add_defined(values, spread.mean - deviation);
  add_defined(values, spread.mean + deviation);
}

void draw_lane(SvgPlot& plot, const ReportRow& row, std::size_t lane, const Runs& runs) {
  // Seeds above, their mean below, then the paper: they do not hide each other.
  const double seeds = static_cast<double>(lane) + 0.24;
  const double means = static_cast<double>(lane) + 0.52;
  const double paper = static_cast<double>(lane) + 0.82;
  for (const RunResult* run : runs) {
    const double score = test_micro(*run);
    if (std::isnan(score)) continue;
    plot.mark(lane, {score, seeds}, tooltip(row.name, fmt::format("seed {}", run->seed), score),
              true);
  }
  const Spread spread = spread_over(runs, test_micro);
  if (!std::isnan(spread.deviation)) {
    plot.stroke(lane, {spread.mean - spread.deviation, means},
                {spread.mean + spread.deviation, means});
  }
  if (!std::isnan(spread.mean)) {
    plot.tick({spread.mean, means}, 5, tooltip(row.name, "mean", spread.mean));
  }
  if (!std::isnan(row.paper_value)) {
    plot.cross({row.paper_value, paper}, tooltip(row.name, "paper", row.paper_value));
  }
}

std::string plot_of_rows(const ExperimentReport& report) {
  constexpr double kLane = 38;
  std::vector<std::string> names;
  std::vector<double> values;
  for (const ReportRow& row : report.rows) {
    names.push_back(row.name);
    const Runs runs = runs_of(report, row);
    for (const RunResult* run : runs) add_defined(values, test_micro(*run));
    add_ends(values, spread_over(runs, test_micro));
    add_defined(values, row.paper_value);
  }
  if (values.empty()) return "";
  SvgPlot plot(kLane * static_cast<double>(names.size()), names);
  plot.x_axis(axis_over("AU(PRC), micro", values));
  plot.y_names(names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    draw_lane(plot, report.rows[i], i, runs_of(report, report.rows[i]));
  }
  return plot.svg("AU(PRC) of every row and seed, with means and the paper's values");
}

/// Rows that have something to show in a plot, for its legend.
struct Drawn {
  std::vector<std::size_t> series;
  std::vector<std::string> names;

  void add(const ExperimentReport& report, std::size_t row) {
    series.push_back(row);
    names.push_back(report.rows[row].name);
  }
};

std::string plot_of_levels(const ExperimentReport& report) {
  const std::size_t levels = num_levels(report);
  const std::size_t num_rows = report.rows.size();
  std::vector<std::vector<Spread>> spreads(num_rows);  // per row and level
  std::vector<double> values;
  Drawn drawn;
  for (std::size_t row = 0; row < num_rows; ++row) {
    const Runs runs = runs_of(report, report.rows[row]);
    const std::size_t known = values.size();
    for (std::size_t level = 0; level < levels; ++level) {
      spreads[row].push_back(
          spread_over(runs, [&](const RunResult& run) { return test_area_of_level(run, level); }));
      add_ends(values, spreads[row].back());
    }
    if (values.size() > known) drawn.add(report, row);
  }
  if (values.empty()) return "";
  SvgPlot plot(300, {});
  plot.y_axis(axis_over("AU(PRC), micro within the level", values));
  std::vector<std::string> names;
  for (std::size_t level = 1; level <= levels; ++level) names.push_back(std::to_string(level));
  plot.x_names("level", names);
  for (std::size_t i = 0; i < drawn.series.size(); ++i) {
    const std::size_t row = drawn.series[i];
    const double offset =
        (static_cast<double>(i) + 1) / (static_cast<double>(drawn.series.size()) + 1);
    for (std::size_t level = 0; level < levels; ++level) {
      const auto& [mean, deviation] = spreads[row][level];
      const double x = static_cast<double>(level) + offset;
      if (std::isnan(mean)) continue;
      if (!std::isnan(deviation)) plot.stroke(row, {x, mean - deviation}, {x, mean + deviation});
      plot.mark(row, {x, mean},
                tooltip(report.rows[row].name, fmt::format("level {}", level + 1), mean));
    }
  }
  plot.legend(drawn.series, drawn.names);
  return plot.svg("AU(PRC) of every row within each level");
}

std::string plot_of_learning(const ExperimentReport& report) {
  std::vector<std::vector<PlotPoint>> curves;
  std::vector<double> epochs = {0};
  std::vector<double> scores;
  Drawn drawn;
  for (std::size_t row = 0; row < report.rows.size(); ++row) {
    std::vector<PlotPoint> curve;
    for (const ValidationPoint& point : mean_learning_curve(runs_of(report, report.rows[row]))) {
      if (std::isnan(point.score) || std::isnan(point.epoch)) continue;
      curve.push_back({point.epoch, point.score});
      epochs.push_back(point.epoch);
      scores.push_back(point.score);
    }
    if (curve.empty()) continue;
    curves.push_back(curve);
    drawn.add(report, row);
  }
  if (curves.empty()) return "";
  SvgPlot plot(320, {});
  plot.x_axis(axis_over("epoch", epochs));
  plot.y_axis(axis_over("validation AU(PRC), micro", scores));
  for (std::size_t i = 0; i < curves.size(); ++i) plot.line(drawn.series[i], curves[i]);
  plot.legend(drawn.series, drawn.names);
  return plot.svg("AU(PRC) on validation of every row by epoch");
}

std::string plot_of_precision_recall(const ExperimentReport& report) {
  SvgPlot plot(320, {});
  plot.x_axis({"recall", 0, 1, 0.2});
  plot.y_axis({"precision", 0, 1, 0.2});
  Drawn drawn;
  for (std::size_t row = 0; row < report.rows.size(); ++row) {
    const Runs runs = runs_of(report, report.rows[row]);
    if (runs.empty()) continue;
    std::vector<PlotPoint> curve;
    for (const auto& [recall, precision] : runs.front()->precision_recall) {
      if (!std::isnan(recall + precision)) curve.push_back({recall, precision});
    }
    if (curve.empty()) continue;
    plot.line(row, curve);
    drawn.add(report, row);
  }
  if (drawn.series.empty()) return "";
  plot.legend(drawn.series, drawn.names);
  return plot.svg("Precision by recall of the first seed of every row");
}

std::string plot_of_reliability(const ExperimentReport& report) {
  SvgPlot plot(320, {});
  plot.x_axis({"mean score", 0, 1, 0.2});
  plot.y_axis({"share of positives", 0, 1, 0.2});
  plot.guide({0, 0}, {1, 1});
  Drawn drawn;
  for (std::size_t row = 0; row < report.rows.size(); ++row) {
    std::vector<PlotPoint> curve;
    for (const ReliabilityBin& bin : pooled_reliability(runs_of(report, report.rows[row]))) {
      if (bin.count > 0) curve.push_back({bin.mean_score, bin.positive_share});
    }
    if (curve.empty()) continue;
    plot.line(row, curve);
    drawn.add(report, row);
  }
  if (drawn.series.empty()) return "";
  plot.legend(drawn.series, drawn.names);
  return plot.svg("Share of positives by mean score of every row, bin by bin");
}

}  // namespace

std::vector<ReliabilityBin> pooled_reliability(const Runs& runs) {
  std::vector<ReliabilityBin> pooled;
  for (const RunResult* run : runs) {
    pooled.resize(std::max(pooled.size(), run->reliability.size()));
    for (std::size_t i = 0; i < run->reliability.size(); ++i) {
      const ReliabilityBin& bin = run->reliability[i];
      ReliabilityBin& into = pooled[i];
      if (bin.count == 0 || std::isnan(bin.mean_score + bin.positive_share)) continue;
      const auto before = static_cast<double>(into.count);
      const auto added = static_cast<double>(bin.count);
      const auto together = [&](double of_before, double of_added) {
        return into.count == 0 ? of_added
                               : (before * of_before + added * of_added) / (before + added);
      };
      into = {into.count + bin.count, together(into.mean_score, bin.mean_score),
              together(into.positive_share, bin.positive_share)};
    }
  }
  return pooled;
}

std::vector<ValidationPoint> mean_learning_curve(const Runs& runs) {
  std::vector<ValidationPoint> curve;
  for (std::size_t i = 0;; ++i) {
    Runs reached;
    for (const RunResult* run : runs) {
      if (i < run->learning_curve.size()) reached.push_back(run);
    }
    if (reached.empty() || 2 * reached.size() < runs.size()) return curve;
    const auto mean_of = [&](double ValidationPoint::*member) {
      return spread_over(reached,
                         [&](const RunResult& run) { return run.learning_curve[i].*member; })
          .mean;
    };
    curve.push_back({mean_of(&ValidationPoint::epoch), mean_of(&ValidationPoint::loss),
                     mean_of(&ValidationPoint::score)});
  }
}

std::vector<ReportPlot> report_plots(const ExperimentReport& report) {
  const std::string& measured = report.measured_on;
  const bool has_seeds = report.seeds.size() > 1;
  const bool has_paper = std::any_of(report.rows.begin(), report.rows.end(),
                                     [](const auto& row) { return !std::isnan(row.paper_value); });
  const std::string marks = has_seeds ? " Marks: the seeds. Bar: mean ± standard deviation." : "";
  const std::string cross = has_paper ? " Cross: the paper's value." : "";
  std::vector<ReportPlot> plots = {
      {"AU(PRC) by row", measured + "." + marks + cross, plot_of_rows(report)},
      {"AU(PRC) by level",
       measured + (has_seeds ? ", mean ± standard deviation over the seeds." : "."),
       plot_of_levels(report)},
      {"Learning curves",
       "Mean over the seeds, up to the last validation that at least half of them reached.",
       plot_of_learning(report)},
      {"Precision and recall",
       measured + ", all document-label pairs pooled" + (has_seeds ? ", first seed." : "."),
       plot_of_precision_recall(report)},
      {"Reliability",
       measured + ", all document-label pairs in 15 bins by their score. On the dotted line a "
                  "score is the "
                  "probability that the label is right.",
       plot_of_reliability(report)}};
  std::erase_if(plots, [](const ReportPlot& plot) { return plot.svg.empty(); });
  return plots;
}

}  // namespace hmtc
