"""The texts of Ciosici's thesis (2015, section 6.1): its worked example, and the first words of any text."""
FIGURE_4_1A = ["the dog chased the cats .", "the dog scared the cats .", "the cats ran away .", "Alice likes cats .",
               "Alice likes sports ."]
FIGURE_4_1B = [FIGURE_4_1A[at] for at in (0, 3, 4, 1, 2)]


def first_words(source, start, count, target):
    """The words from `start` to `start + count` of a text as one line; how many different ones there are."""
    words = []
    with open(source, encoding="utf-8") as file:
        for line in file:
            words += line.split()
            if len(words) >= start + count:
                break
    words = words[start:start + count]
    if len(words) < count:
        raise SystemExit(f"{source} has fewer than {start + count} words")
    target.write_text(" ".join(words) + "\n", encoding="utf-8")
    return len(set(words))
