#include "explain/faithfulness.h"

#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "data/jsonl_reader.h"
#include "explain/word_ranking.h"
#include "explain/word_variants.h"
#include "predict/predict_stream.h"

namespace hmtc {
namespace {

/// A way to rank words: for each label of the document one ranking.
struct NamedRankings {
  std::string name;
  std::vector<WordRanking> of_label;
};

class Measurement {
 public:
  Measurement(Explainer& explainer, const FaithfulnessOptions& options)
      : explainer_(explainer), random_(options.seed) {}

  /// Whether the document has a word and a predicted label, and so took part.
  bool add(const Document& document) {
    const ReadDocument read = read_document(document);
    if (read.words.empty()) return false;
    Corpus whole;
    append_some(read, all_words(read.words.size()), whole);
    std::vector<LabelId> labels = predicted_labels(whole);
    if (labels.empty()) return false;
    const std::vector<NamedRankings> rankings = rank(read, whole, labels);
    probe(read, labels, rankings);
    compare_labels(rankings.front().of_label);
    ++report_.documents;
    report_.labels += labels.size();
    return true;
  }

  FaithfulnessReport finish() {
    const auto labels = static_cast<double>(report_.labels);
    for (WordRankingReport& ranking : report_.rankings) {
      for (double& value : ranking.deleted) value /= labels;
      for (double& value : ranking.kept) value /= labels;
    }
    if (report_.label_pairs > 0) {
      report_.top_words_apart = words_apart_ / static_cast<double>(report_.label_pairs);
      report_.rank_correlation = correlations_ / static_cast<double>(report_.label_pairs);
    }
    return report_;
  }

 private:
  ReadDocument read_document(const Document& document) {
    PlacedText text = explainer_.read(document);
    const std::size_t most = explainer_.model().config.words_read();
    if (most > 0 && text.words.size() > most) text.words.resize(most);
    return {std::move(text.words), std::move(text.sentences)};
  }

  std::vector<LabelId> predicted_labels(const Corpus& whole) {
    const LoadedModel& model = explainer_.model();
    ScoreSet scores = model.scorer->score(whole);
    model.hierarchy.make_coherent(scores.combined);
    std::vector<LabelId> labels;
    for (const LabelScore& label : chosen_labels(model, scores.combined, {})) {
      labels.push_back(model.hierarchy.find(label.label));
    }
    return labels;
  }

  std::vector<NamedRankings> rank(const ReadDocument& read, const Corpus& whole,
                                  const std::vector<LabelId>& labels) {
    std::vector<NamedRankings> rankings;
    const auto add_method = [&](WordMethod method) {
      NamedRankings& named = rankings.emplace_back();
      named.name = name_of(method);
      for (const auto& weights : explainer_.word_weights(method, whole, 0, labels)) {
        named.of_label.push_back(ranking_by(weights));
      }
    };
    add_method(explainer_.own_method());
    for (const WordMethod method :
         {WordMethod::kEvidence, WordMethod::kCoefficient, WordMethod::kLeaveOneOut}) {
      if (method != explainer_.own_method() && explainer_.has(method)) add_method(method);
    }
    NamedRankings& random = rankings.emplace_back();
    random.name = "random";
    for (std::size_t i = 0; i < labels.size(); ++i) {
      random.of_label.push_back(all_words(read.words.size()));
      random_.shuffle(random.of_label.back());
    }
    return rankings;
  }

  /// Deletes and keeps the heaviest words of every ranking.
  void probe(const ReadDocument& read, const std::vector<LabelId>& labels,
             const std::vector<NamedRankings>& rankings) {
    const std::size_t num_words = read.words.size();
    VariantScores variants(explainer_.model(), read, labels);
    variants.add(all_words(num_words));
    for (const NamedRankings& ranking : rankings) {
      for (const WordRanking& words : ranking.of_label) {
        for (const double share : kWordShares) {
          const std::size_t count = count_of_share(share, num_words);
          variants.add(without_top(words, count));
          variants.add(only_top(words, count));
        }
      }
    }
    const std::vector<float> scores = variants.take();
    report_.rankings.resize(rankings.size());
    std::size_t variant = 1;
    for (std::size_t r = 0; r < rankings.size(); ++r) {
      WordRankingReport& report = report_.rankings[r];
      report.ranking = rankings[r].name;
      for (std::size_t label = 0; label < labels.size(); ++label) {
        const double whole = scores[label];
        for (std::size_t share = 0; share < kWordShares.size(); ++share) {
          report.deleted[share] += whole - scores[variant++ * labels.size() + label];
          report.kept[share] += whole - scores[variant++ * labels.size() + label];
        }
      }
    }
  }

  void compare_labels(const std::vector<WordRanking>& rankings) {
    constexpr double kTop = 0.1;
    for (std::size_t a = 0; a < rankings.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const std::size_t count = count_of_share(kTop, rankings[a].size());
        words_apart_ += top_apart(rankings[a], rankings[b], count);
        correlations_ += rank_correlation(rankings[a], rankings[b]);
        ++report_.label_pairs;
      }
    }
  }

  Explainer& explainer_;
  Random random_;
  FaithfulnessReport report_;
  double words_apart_ = 0;  // sums over the pairs of labels
  double correlations_ = 0;
};

}  // namespace

FaithfulnessReport measure_faithfulness(Explainer& explainer, const std::string& file,
                                        const FaithfulnessOptions& options) {
  Measurement measurement(explainer, options);
  JsonlReader reader(file, DocumentParser::Labels::kOptional);
  Document document;
  std::size_t count = 0;
  while ((options.documents == 0 || count < options.documents) && reader.next(document)) {
    if (!measurement.add(document)) continue;
    ++count;
    if (options.progress) options.progress(count);
  }
  if (count == 0) {
    throw input_error({file}, {"a document with a word and a predicted label", "none",
                               "give documents like those that the model was trained on"});
  }
  return measurement.finish();
}

double mean_of(const std::array<double, kWordShares.size()>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace hmtc
