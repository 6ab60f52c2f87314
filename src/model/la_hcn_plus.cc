// What LA-HCN+ (docs/models.md) adds to LA-HCN, as far as it stands in the model itself. The
// forward pass of la_hcn.cc calls what is there.
#include "model/la_hcn.h"

namespace hmtc {

/// Their own start values come behind those of D9 and change none of them.
void LaHcn::add_ingredients(const ModelOptions& options, const Hierarchy& hierarchy) {
  if (options.label_sharing) {
    const torch::NoGradGuard no_grad;
    LabelVectors drawn;
    for (LaHcnLevel& level : levels_) drawn.push_back(level->labels());
    set_label_vectors(related_labels(drawn, graph_));
  }
  if (options.rarity) {
    rarity_ = register_module("rarity",
                              WordRarity(encoder_->embedding().size(0), hierarchy.num_levels()));
  }
  if (options.parent_prior && hierarchy.num_levels() > 1) {
    parent_prior_ = register_module("parent_prior", ParentPrior(graph_));
  }
  if (options.max_constraint) use_max_constraint(hierarchy);
}

/// v_l of each level.
LabelVectors LaHcn::label_vectors() {
  LabelVectors own;
  for (LaHcnLevel& level : levels_) own.push_back(level->labels());
  return label_sharing_ ? shared_labels(own, graph_) : own;
}

void LaHcn::set_label_vectors(const LabelVectors& v_l) {
  const LabelVectors own = label_sharing_ ? own_labels(v_l, graph_) : v_l;
  for (std::size_t h = 0; h < levels_.size(); ++h) levels_[h]->labels().copy_(own[h]);
}

void LaHcn::start_from(const TrainingFacts& facts) {
  const torch::NoGradGuard no_grad;
  if (rarity_) rarity_->set(facts.rarity);
  if (facts.label_names.empty()) return;
  set_label_vectors(named_labels(label_vectors(), encoder_->embedding(), facts.label_names));
}

}  // namespace hmtc
