#!/usr/bin/env python3
"""Imports SQLite files with `roost import`, and compares what came of each column with SQL.

usage: sums.py ROOST FILE ...

Which field a column became, the models say that `roost models` prints. Of each column it compares the number of values, and the
sum of their checksums; of dates, which have another form, the number alone. A process of its own reads the SQLite file
meanwhile: both sides are millions of values.
"""

import base64
import collections
import concurrent.futures
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import zlib

READING = re.compile(r'(\w+)`?: try \$0(?:\["((?:[^"\\]|\\.)*)"\]|\.(id|date|link)\((?:"((?:[^"\\]|\\.)*)")?)')
LINKS = re.compile(r'(\w+)`?: try \$0\.links\(through: "([^"]*)", from: "([^"]*)", to: "([^"]*)"\)')
KEY = re.compile(r"id: \w+Key\((.*)\)")


class Sum:
    """How many values there are, and the sum of their checksums."""

    def __init__(self):
        self.count = self.sum = 0

    def add(self, values):
        found = [text(value).encode("utf-8", "surrogateescape") for value in values if value is not None]
        self.count += len(found)
        self.sum += sum(map(zlib.crc32, found))

    def __eq__(self, other):
        return (self.count, self.sum) == (other.count, other.sum)

    def __repr__(self):
        return f"{self.count} values with the sum {self.sum}"


def text(value):
    """A value so that equal ones are equal, whichever type the store has it in."""
    if type(value) is str:
        return value
    if type(value) is int:
        return str(value)
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, bool):
        return str(int(value))
    return repr(value)


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def tables(printed):
    """The tables of a file, each with its model and the fields of its columns, and those of tables between two others."""
    found = {}
    for block in printed.split("importer.rows(")[1:]:
        table = json.loads(block[: block.index(")")])
        model = block.splitlines()[1].strip().split("(")[0]
        columns, links = {}, {}
        for line in block.splitlines()[1:]:
            if line.strip() == "}":
                break
            parts = KEY.search(line)
            for field, column, method, argument in READING.findall(parts.group(1) if parts else line):
                path = ("id", field) if parts else (field,)
                columns[path] = (column or argument or None, method)
            for field, join, source, target in LINKS.findall(line):
                links[field] = (join, source, target)
        found[table] = (model.strip("`"), columns, links)
    return found


def raw_fields(printed):
    """The fields of columns with values of several types, which a dump has as JSON: {"integer": {"_0": 1}}."""
    return {
        (model, field)
        for model, body in re.findall(r"^struct (\S+): Model \{\n(.*?)^\}", printed, re.S | re.M)
        for field in re.findall(r"^  (?:let|var) (\S+): AnyValue\b", body, re.M)
    }


def key_column(database, table):
    """The column of the primary key; that of the row's number where there is none."""
    keys = [row[1] for row in database.execute(f"PRAGMA table_xinfo({quoted(table)})") if row[5]]
    return quoted(keys[0]) if keys else "rowid"


def sums_of_store(tool, store, known, raw):
    """The sums of all fields, by model and path."""
    sums, counts = collections.defaultdict(Sum), collections.Counter()
    waiting = collections.defaultdict(list)

    def flush():
        for key, values in waiting.items():
            sums[key].add(values)
        waiting.clear()

    paths = {model: list(columns) + [(name,) for name in links] for model, columns, links in known.values()}
    with subprocess.Popen([tool, "dump", store], stdout=subprocess.PIPE) as dump:
        for line in dump.stdout:
            values = json.loads(line)
            model = values["table"]
            counts[model] += 1
            if counts[model] % 10_000 == 0:
                flush()
            for path in paths.get(model, ()):
                value = values["_table" if path == ("table",) else path[0]]
                for part in path[1:]:
                    value = value[part]
                if (model, path[0]) in raw:
                    (inner,) = json.loads(value).values()
                    value = inner.get("_0")
                if isinstance(value, list):
                    waiting[model, path] += value
                else:
                    waiting[model, path].append(value)
    flush()
    if dump.returncode != 0:
        sys.exit(f"error: roost dump ended with {dump.returncode}")
    return sums, counts


def sums_of_file(file, known):
    """The sums of all columns, by table and path, the numbers of rows, and the names of all tables."""
    database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    database.text_factory = lambda text: text.decode("utf-8", "surrogateescape")

    def of_column(column, table):
        found = Sum()
        rows = database.execute(f"SELECT {column} FROM {quoted(table)}")
        while some := rows.fetchmany(10_000):
            found.add(value for (value,) in some)
        return found

    names = {
        name for schema, name, kind, *_ in database.execute("PRAGMA table_list")
        if schema == "main" and kind == "table" and not name.startswith("sqlite_")
    }
    sums, counts = {}, {}
    for table, (_, fields, links) in known.items():
        (counts[table],) = database.execute(f"SELECT count(*) FROM {quoted(table)}").fetchone()
        for path, (column, _) in fields.items():
            sums[table, path] = of_column(quoted(column) if column else key_column(database, table), table)
        for field, (join, _, target) in links.items():
            sums[table, (field,)] = of_column(quoted(target), join)
    return sums, counts, names


def compare(tool, file, store):
    printed = subprocess.run([tool, "models", file], check=True, capture_output=True, text=True).stdout
    known = tables(printed)
    with concurrent.futures.ProcessPoolExecutor(1) as other:
        reading = other.submit(sums_of_file, file, known)
        sums, counts = imported(tool, file, store, known, raw_fields(printed))
        wanted, wanted_counts, names = reading.result()
    joins = {join for _, _, links in known.values() for join, _, _ in links.values()}
    if names != set(known) | joins:
        sys.exit(f"error: {file}: not imported: {names.symmetric_difference(set(known) | joins)}")
    for table, (model, fields, _) in known.items():
        if counts[model] != wanted_counts[table]:
            sys.exit(f"error: {file}: {model} has {counts[model]} objects instead of {wanted_counts[table]}")
    for (table, path), sum_of_column in wanted.items():
        model, fields, _ = known[table]
        found = sums[model, path]
        if fields.get(path, (None, None))[1] == "date":
            sum_of_column.sum = found.sum
        if sum_of_column != found:
            sys.exit(f"error: {file}: {table}.{'.'.join(path)} has {found} instead of {sum_of_column}")
    rows = sum(wanted_counts.values())
    print(f"{os.path.basename(file)}: {len(known)} tables, {rows} rows, {len(wanted)} columns are as SQL says")


def imported(tool, file, store, known, raw):
    """The sums of the store that the tool makes of a file."""
    run = subprocess.run([tool, "import", "--force", store, file], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"error: {file}: {run.stderr}")
    return sums_of_store(tool, store, known, raw)


def main(tool, files):
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            compare(tool, file, os.path.join(folder, "store.roost"))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
