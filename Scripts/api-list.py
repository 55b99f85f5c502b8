#!/usr/bin/env python3
"""Prints what symbol graphs of a module say, one declaration a line, members below their types.

usage: api-list.py FOLDER    with the files that `swift symbolgraph-extract` wrote of one module
"""
import json
import pathlib
import sys

# What the compiler adds to each type by itself.
IMPLIED = {"Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"}


def declaration(symbol):
    text = "".join(part["spelling"] for part in symbol["declarationFragments"])
    return " ".join(text.split())


def main(folder):
    symbols = {}
    conformances = {}
    for path in sorted(pathlib.Path(folder).glob("*.symbols.json")):
        graph = json.loads(path.read_text())
        for symbol in graph["symbols"]:
            symbols[symbol["identifier"]["precise"]] = symbol
        for relation in graph["relationships"]:
            if relation["kind"] == "conformsTo":
                name = relation.get("targetFallback") or relation["target"]
                conformances.setdefault(relation["source"], set()).add((relation["target"], name))
    titles = {key: ".".join(symbol["pathComponents"]) for key, symbol in symbols.items()}

    # The declarations of each path, and the paths below each.
    types = {}
    members = {}
    for key, symbol in symbols.items():
        path = tuple(symbol["pathComponents"])
        line = declaration(symbol)
        names = {titles.get(target, name.split(".")[-1]) for target, name in conformances.get(key, ())}
        names -= IMPLIED
        # A protocol's declaration says itself what it inherits from.
        if names and symbol["kind"]["identifier"] in ("swift.class", "swift.enum", "swift.struct", "swift.actor"):
            line += (" ; " if ":" in line else " : ") + ", ".join(sorted(names))
        types.setdefault(path, []).append(line)
    for path in list(types):
        for depth in range(1, len(path)):
            if path[:depth] not in types:
                types[path[:depth]] = ["extension " + ".".join(path[:depth])]
    for path in types:
        members.setdefault(path[:-1], []).append(path)

    def show(path, depth):
        for line in sorted(types[path]):
            print("  " * depth + line)
        for member in sorted(members.get(path, ())):
            show(member, depth + 1)

    for path in sorted(members[()]):
        show(path, 0)


main(sys.argv[1])
