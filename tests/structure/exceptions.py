"""What may break a rule of size or of words, and why. Each entry is a debt: whoever pays it takes the line away; the checks mention
lines that nothing needs any more."""

# "file::function": more than 60 lines.
LONG_FUNCTIONS = {
}

# "file::function": more than 5 parameters.
MANY_PARAMETERS = {
    "src/linalg/blas.cpp::gemm": "the interface of BLAS",
    "src/linalg/blas.cpp::syevd": "the interface of LAPACK",
    "src/grammar/em.cpp::load": "to be grouped",
    "src/lm/text_ids.cpp::visit_sentences": "to be grouped",
    "src/hmm/decode.cpp::tag_text": "to be grouped",
    "tools/firth/option_table.hpp::number_or": "an option is name, value, target, range, word and help",
    "tools/firth/option_table.cpp::OptionTable::add_number": "as number",
    "tools/firth/option_table.cpp::OptionTable::add_number_or": "as number_or",
    "tools/firth/option_table.cpp::OptionTable::add_numbers": "as numbers",
}

# "file::class": more than 150 lines or 12 data members. New ones say why at their head instead: "Large because ...".
LARGE_CLASSES = {
    "src/parser/plain_chart.hpp::PlainChart": "to be taken apart",
    "src/tagger/train.cpp::Trainer": "to be taken apart",
    "src/tagger/sentence_tagger.hpp::SentenceTagger": "to be taken apart",
    "src/text/block_reader.hpp::BlockReader": "to be taken apart",
    "src/grammar/pack_model.cpp::Storage": "one array per section of the file",
    "src/grammar/parser_model.hpp::ModelArrays": "one array per section of the file",
    "src/grammar/model_file.cpp::ModelReader": "one check per section of the file",
    "src/lm/arpa_read.cpp::ArpaReader": "to be taken apart",
    "src/base/parallel.cpp::Team::State": "to be taken apart",
    "src/cluster/exchange/split.cpp::Halves": "to be taken apart",
    "src/cluster/exchange/search_context.hpp::SearchContext": "to be taken apart",
    "src/cluster/pos/search.cpp::Search": "to be taken apart",
    "include/firth/brown.hpp::BrownOptions": "options, one line each",
    "include/firth/gold_tags.hpp::GoldReport": "figures, one line each",
    "include/firth/parseval.hpp::ParsevalScore": "figures, one line each",
    "tools/firth/commands/evaluate.cpp::EvaluateCommand": "to be taken apart",
}

# More than 400 lines.
LONG_FILES = {
}

# Files that still have words which check_words.py bans. They are being rewritten room by room.
OLD_WORDS = {
    "ARCHITECTURE.md": "names",
    "docs/cli.md": "rates",
    "docs/formats.md": "rates",
    "docs/parsing.md": "rates",
    "docs/pos.md": "rates",
    "docs/tagging.md": "rates",
    "include/firth/clustering.hpp": "rates",
    "include/firth/features.hpp": "rates",
    "include/firth/parser.hpp": "phrases rates",
    "include/firth/parseval.hpp": "phrases rates",
    "include/firth/run.hpp": "phrases",
    "include/firth/tagger.hpp": "phrases",
    "include/firth/treebank.hpp": "rates",
    "src/cluster/clustering.cpp": "rates",
    "src/lm/arpa_read.cpp": "rates",
    "src/lm/srilm_classes.cpp": "rates",
    "src/parser/grammar_charts.cpp": "phrases",
    "src/parser/grammar_charts.hpp": "phrases",
    "src/tagger/README.md": "rates",
    "src/text/sentence_reader.hpp": "phrases",
    "tests/golden/cases/lm.case": "rates",
    "tests/golden/cases/pos.case": "rates",
    "tests/golden/cases/sample_lpcfg.case": "rates",
    "tests/golden/cases/search.case": "names",
    "tools/firth/commands/commands.hpp": "rates",
    "tools/firth/commands/embed.cpp": "rates",
    "tools/firth/commands/parse_score.cpp": "rates",
    "tools/firth/commands/parse_train.cpp": "rates",
    "tools/firth/commands/sample_lpcfg.cpp": "rates",
    "tools/firth/commands/tagging_output.cpp": "rates",
    "tools/firth/shared_options.cpp": "rates",
}
