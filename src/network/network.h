#pragma once

#include <memory>
#include <span>
#include <vector>

#include "hierarchy/hierarchy.h"
#include "network/document_batch.h"
#include "network/matrix.h"

namespace hmtc {

/// Probabilities of a batch, each (B, M). M labels over all levels, ids as in the hierarchy.
struct NetworkScores {
  Matrix local;   ///< empty unless the network has both kinds of classifiers
  Matrix global;  ///< empty unless the network has both kinds of classifiers
  Matrix combined;
};

/// The components of a level in one document: how near each word is to them, and each label.
struct ComponentRelevance {
  Matrix S;        ///< (N, C)
  Matrix R_tilde;  ///< (L, C)
};

/// Which words of one document a network looks at, for some labels.
struct WordAttention {
  /// (labels, N): of each label over the words; empty: the network has none. A network whose
  /// attention is common to several labels gives it to each of them.
  Matrix A;
  /// (labels, N): what each word adds to the label's local logit; empty: not to be told.
  Matrix evidence;
  std::vector<ComponentRelevance> components;  ///< of each level; empty: the network has none
};

/// A network that has learnt, ready to answer. Any number of threads may use it at once.
class Network {
 public:
  virtual ~Network() = default;
  Network() = default;
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  virtual NetworkScores scores(const DocumentBatch& batch) const = 0;

  /// Whether scores() tells local and global ones apart.
  virtual bool has_parts() const { return false; }

  /// Whether attention() tells something, and evidence too.
  virtual bool has_attention() const { return false; }
  virtual bool has_evidence() const { return false; }

  /// `one` is a batch of one document with at least one word.
  virtual WordAttention attention(const DocumentBatch& /*one*/,
                                  std::span<const LabelId> /*labels*/) const {
    return {};
  }
};

/// What the classifiers of a network say of a batch, each (B, M) or empty where there is none.
struct NetworkLogits {
  Matrix local;   ///< one classifier per level
  Matrix global;  ///< one classifier over all levels
};

/// The one place where the logits of networks become probabilities. `local_weight`: the share of
/// the local scores in the combined ones.
NetworkScores scores_of(NetworkLogits logits, double local_weight);

}  // namespace hmtc
