#include <fmt/format.h>

#include <memory>

#include "checks.h"
#include "import/import.h"
#include "output.h"
#include "verbs.h"

namespace hmtc {

void add_import_verb(CLI::App& program) {
  CLI::App* verb =
      program.add_subcommand("import", "Turn a published format into a data directory");
  const auto options = std::make_shared<ImportOptions>();
  const auto split = std::make_shared<std::string>();
  std::string formats = "Formats (docs/importers.md):\n";
  for (const ImportFormat& format : import_formats()) {
    formats += fmt::format("  {:<12} {}\n", format.name, format.description);
  }
  verb->footer(formats);
  verb->add_option("format", options->format, "one of the formats below")->required();
  verb->add_option("inputs", options->inputs,
                   "files: train, [val,] test; or any number with --split")
      ->required();
  verb->add_option("--out", options->out, "the data directory to write")->required();
  verb->add_option("--split", *split,
                   "percentages for train/val/test of all inputs, e.g. 60/20/20");
  verb->add_option("--seed", options->seed, "decides which documents go where")
      ->check(whole_number_from(0));
  verb->add_option("--taxonomy", options->taxonomy, "rcv1-svm, bgc: the tree, parent<TAB>child…");
  verb->add_option("--drop-label", options->drop_labels,
                   "rcv1-svm: leave a label out with all below it; may be repeated")
      ->allow_extra_args(false);
  verb->add_option("--term-words", options->term_words, "rcv1-svm: table from term ids to words");
  verb->add_option("--language", options->language, "wipo-alpha: whose texts are taken");
  verb->add_option("--min-documents", options->min_documents, "debtags: drop rarer labels")
      ->check(whole_number_from(0));
  verb->add_option("--text-columns", options->text_columns, "csv: names joined by commas");
  verb->add_option("--label-column", options->label_column, "csv");
  verb->add_option("--id-column", options->id_column, "csv");
  verb->add_option("--delimiter", options->delimiter, "csv: one character, or tab");
  verb->add_option("--label-separator", options->label_separator,
                   "csv: between a document's labels");
  verb->add_option("--path-separator", options->path_separator, "csv: between a label's steps");
  verb->callback([options, split] {
    if (!split->empty()) options->split = parse_split(*split);
    print_message(to_text(import_data(*options)));
  });
}

}  // namespace hmtc
