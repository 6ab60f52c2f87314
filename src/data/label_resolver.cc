#include "data/label_resolver.h"

namespace hmtc {

std::vector<LabelId> LabelResolver::resolve(const std::vector<std::string>& names,
                                            const Place& place) {
  std::vector<LabelId> labels;
  for (const std::string& name : names) {
    const LabelId id = hierarchy_.find(name);
    if (id >= 0) {
      labels.push_back(id);
    } else if (strict_) {
      throw input_error(place, {"labels of the hierarchy", in_quotes(name),
                                "mend the label, add it to hierarchy.tsv, or leave unknown labels "
                                "out with data.strict=false (evaluate: --lenient)"});
    } else {
      ++left_out_[name];
    }
  }
  return hierarchy_.closure(labels);
}

}  // namespace hmtc
