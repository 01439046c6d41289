"""What may break a rule of size or of words, and why. Each entry is a debt: whoever pays it takes the line away; the checks mention
lines that nothing needs any more."""

# "file::function": more than 60 lines.
LONG_FUNCTIONS = {
}

# "file::function": more than 5 parameters.
MANY_PARAMETERS = {
    "src/text/decoder.cpp::mark_undecoded": "the interface of ICU",
    "tools/firth/option_table.hpp::number_or": "an option is name, value, target, range, word and help",
    "tools/firth/option_table.cpp::OptionTable::add_number": "as number",
    "tools/firth/option_table.cpp::OptionTable::add_number_or": "as number_or",
    "tools/firth/option_table.cpp::OptionTable::add_numbers": "as numbers",
}

# "file::class": more than 150 lines or 12 data members, without a sentence "Large because ..." at its head.
LARGE_CLASSES = {
}

# More than 400 lines.
LONG_FILES = {
}

# Files with words that check_words.py bans, and the rules that they may break.
OLD_WORDS = {
    "tests/golden/cases/search.case": "names",  # a text to cluster, not ours to word
}
