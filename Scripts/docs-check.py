#!/usr/bin/env python3
"""Checks what Scripts/docs has rendered, and the links of the documents that are read without it.

usage: Scripts/docs-check.py ARCHIVE

- Each reference of a page leads to a page of the archive, and its anchor to a heading there.
- Each public symbol stands in a section of topics that somebody has written: none is left in a section that DocC makes of the
  rest. Not counted are the witnesses of protocols such as Hashable, which DocC always groups by itself.
- Relative links in README.md and the other documents lead to files, and their anchors to headings.
"""

import glob
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOCUMENTS = ["*.md", "Benchmarks/*.md", "Examples/*.md", "Documentation/Design/*.md"]
# What DocC makes of the members that a type has by a protocol.
WITNESSES = "Default Implementations"
# The parts of a page that somebody has written.
WRITTEN = ["abstract", "primaryContentSections", "sections"]
# Anchors of every page.
COMMON = {"overview", "topics", "discussion", "mentions", "see-also", "default-implementations", "relationships"}


def pages(archive):
    """The pages of an archive by their addresses, in lower case: /documentation/roost/store."""
    data = os.path.join(archive, "data")
    found = {}
    for path in glob.glob(os.path.join(data, "documentation", "**", "*.json"), recursive=True):
        with open(path, encoding="utf-8") as file:
            found["/" + os.path.relpath(path, data)[: -len(".json")].lower()] = json.load(file)
    return found


def walk(value):
    """All objects within a page."""
    if isinstance(value, dict):
        yield value
        for part in value.values():
            yield from walk(part)
    elif isinstance(value, list):
        for part in value:
            yield from walk(part)


def anchors(page):
    return COMMON | {part["anchor"].lower() for part in walk(page) if isinstance(part.get("anchor"), str)}


def broken_references(page, all_pages):
    known = page.get("references", {})
    for reference in known.values():
        if reference.get("type") not in ("topic", "section"):
            continue
        address, _, anchor = reference.get("url", "").partition("#")
        target = all_pages.get(address.lower())
        if target is None:
            yield address, "is not a page of the archive"
        elif anchor and anchor.lower() not in anchors(target):
            yield f"{address}#{anchor}", "is not a heading"
    # A protocol of another module, to which a symbol conforms, has no page: it may be named, and not be linked to.
    links = [part["identifier"] for part in walk([page.get(key) for key in WRITTEN]) if part.get("type") == "reference"]
    links += [link for section in page.get("topicSections", []) for link in section["identifiers"]]
    for link in links:
        if known.get(link, {}).get("type", "unresolvable") == "unresolvable":
            yield link, "does not resolve"


def left_symbols(page):
    for section in page.get("topicSections", []):
        if section.get("generated") and section["title"] != WITNESSES:
            for identifier in section["identifiers"]:
                yield section["title"], identifier.split("/documentation/")[-1]


def headings(path):
    """The anchors of a document's headings, as code hosts make them."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^```.*?^```", "", file.read(), flags=re.S | re.M)
    return {
        re.sub(r"[^\w\- ]", "", line.lower()).strip().replace(" ", "-") for line in re.findall(r"^#+ +(.*)$", text, re.M)
    }


def broken_links(path):
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^```.*?^```", "", file.read(), flags=re.S | re.M)
    for link in re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r"(?:src|srcset|href)=\"([^\"]+)\"", text):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
        if not os.path.exists(target):
            yield link, "is not there"
        elif anchor and target.endswith(".md") and anchor not in headings(target):
            yield link, "is not a heading"


def main(archive):
    all_pages = pages(archive)
    complaints = []
    symbols = 0
    for address, page in sorted(all_pages.items()):
        symbols += page.get("metadata", {}).get("role") in ("symbol", "dictionarySymbol")
        complaints += [f"{address}: {what} {why}" for what, why in sorted(set(broken_references(page, all_pages)))]
        if address.endswith("-implementations"):
            continue
        for title, symbol in left_symbols(page):
            complaints.append(f"{address}: nobody has put {symbol} under a heading; DocC did, under \"{title}\"")
    documents = sorted(path for pattern in DOCUMENTS for path in glob.glob(os.path.join(ROOT, pattern)))
    for path in documents:
        complaints += [f"{os.path.relpath(path, ROOT)}: {link} {why}" for link, why in broken_links(path)]
    if not all_pages:
        complaints.append(f"{archive} has no pages")
    for complaint in complaints:
        print(f"docs: {complaint}", file=sys.stderr)
    if complaints:
        sys.exit(f"docs: {len(complaints)} complaints. Topics of a symbol are in the Symbols folder of its library's catalog.")
    print(f"{len(all_pages)} pages, {symbols} of them symbols, and {len(documents)} documents: every link leads somewhere.")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
