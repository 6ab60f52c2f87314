#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "explain/faithfulness.h"

namespace hmtc {
namespace {

std::string share_names() {
  std::string names;
  for (const double share : kWordShares) names += fmt::format("{:>7.0f} %", 100 * share);
  return names + "     mean";
}

std::string values_text(const std::array<double, kWordShares.size()>& values) {
  std::string text;
  for (const double value : values) text += fmt::format("{:>9.3f}", value);
  return text + fmt::format("{:>9.3f}", mean_of(values));
}

nlohmann::ordered_json number(double value) {
  return std::isnan(value) ? nlohmann::ordered_json() : nlohmann::ordered_json(value);
}

}  // namespace

std::string faithfulness_table(const std::vector<FaithfulnessReport>& reports) {
  std::string out;
  for (const FaithfulnessReport& report : reports) {
    if (!out.empty()) out += "\n";
    out += fmt::format("{}: {} labels of {} documents\n", report.model, report.labels,
                       report.documents);
    for (const bool deleted : {true, false}) {
      out +=
          fmt::format("  {}\n", deleted ? "the probability falls by, when the heaviest words are "
                                          "deleted (comprehensiveness, more is better)"
                                        : "and when only they are kept (sufficiency, less is "
                                          "better)");
      out += fmt::format("    {:14}{}\n", "ranking", share_names());
      for (const WordRankingReport& ranking : report.rankings) {
        out += fmt::format("    {:14}{}\n", ranking.ranking,
                           values_text(deleted ? ranking.deleted : ranking.kept));
      }
    }
    if (report.label_pairs > 0) {
      out += fmt::format(
          "  two labels of a document do not share {:.1f} % of their heaviest tenth of the words; "
          "rank correlation {:.3f} ({} pairs)\n",
          100 * report.top_words_apart, report.rank_correlation, report.label_pairs);
    }
  }
  return out;
}

std::string faithfulness_json(const std::vector<FaithfulnessReport>& reports) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const FaithfulnessReport& report : reports) {
    nlohmann::ordered_json one = {{"model", report.model},
                                  {"documents", report.documents},
                                  {"labels", report.labels},
                                  {"shares", kWordShares},
                                  {"rankings", nlohmann::ordered_json::array()}};
    for (const WordRankingReport& ranking : report.rankings) {
      one["rankings"].push_back({{"ranking", ranking.ranking},
                                 {"comprehensiveness", ranking.deleted},
                                 {"comprehensiveness_mean", mean_of(ranking.deleted)},
                                 {"sufficiency", ranking.kept},
                                 {"sufficiency_mean", mean_of(ranking.kept)}});
    }
    one["top_words_apart"] = number(report.top_words_apart);
    one["rank_correlation"] = number(report.rank_correlation);
    one["label_pairs"] = report.label_pairs;
    all.push_back(std::move(one));
  }
  return all.dump(2) + "\n";
}

}  // namespace hmtc
