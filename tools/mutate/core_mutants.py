"""Prints the mutants of C++ files as JSON lines: {"file", "line", "to"}. universalmutator chooses them, by its rules for C++.

    core_mutants.py <folder> <file> ...      file names are relative to the folder
"""

import contextlib
import json
import pathlib
import sys

from universalmutator.mutator import mutants_regexp

RULES = ["universal.rules", "c_like.rules", "cpp.rules"]


def is_in_a_name(before, after):
    """The rules for numbers change uint32_t, too, which never builds."""
    at = next((i for i, (a, b) in enumerate(zip(before, after)) if a != b), len(before))
    return 0 < at < len(before) and before[at].isdigit() and (before[at - 1].isalpha() or before[at - 1] == "_")


def is_comment(line):
    """A line of words: no compiler sees what is changed in it."""
    return line.lstrip().startswith("//")


def main(folder, *names):
    for name in names:
        source = pathlib.Path(folder, name).read_text().splitlines(keepends=True)
        with contextlib.redirect_stdout(sys.stderr):
            mutants = mutants_regexp(source, RULES, ignorePatterns=[], ignoreStringOnly=True)
        for line, text, *_ in mutants:
            if not is_comment(source[line - 1]) and not is_in_a_name(source[line - 1], text):
                print(json.dumps({"file": name, "line": line, "to": text}))


main(*sys.argv[1:])
