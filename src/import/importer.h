#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "hierarchy/hierarchy.h"
#include "hmtc/document.h"
#include "import/import.h"
#include "import/notes.h"

namespace hmtc {

/// The documents of one input, one after the other.
class DocumentSource {
 public:
  virtual ~DocumentSource() = default;
  /// The next document, in file order; false at the end. Throws kInput for a broken record.
  /// An id left empty is made from the input's name and the row.
  virtual bool next(Document& document) = 0;
  /// Where the last document stands, for messages.
  virtual Place place() const = 0;
};

/// What a format makes of its inputs. import_data() first reads every input to its end, which
/// counts the documents and lets the importer learn the labels; then it asks for the edges, and
/// then it reads the same documents again to write them.
class Importer {
 public:
  virtual ~Importer() = default;
  virtual std::size_t num_inputs() const = 0;
  /// Opens an input at its beginning. What it skips or repairs goes into `notes`.
  virtual std::unique_ptr<DocumentSource> open(std::size_t input, Notes& notes) = 0;
  /// The hierarchy, once all inputs have been read.
  virtual std::vector<HierarchyEdge> edges(Notes& notes) = 0;
};

std::unique_ptr<Importer> make_clus_arff_importer(const ImportOptions& options, Notes& notes);
std::unique_ptr<Importer> make_lahcn_json_importer(const ImportOptions& options, Notes& notes);
std::unique_ptr<Importer> make_bgc_importer(const ImportOptions& options, Notes& notes);
std::unique_ptr<Importer> make_wipo_alpha_importer(const ImportOptions& options, Notes& notes);
std::unique_ptr<Importer> make_rcv1_svm_importer(const ImportOptions& options, Notes& notes);
std::unique_ptr<Importer> make_fasttext_importer(const ImportOptions& options, Notes& notes);
std::unique_ptr<Importer> make_csv_importer(const ImportOptions& options, Notes& notes);
std::unique_ptr<Importer> make_debtags_importer(const ImportOptions& options, Notes& notes);

}  // namespace hmtc
