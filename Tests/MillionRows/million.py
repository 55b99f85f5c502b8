#!/usr/bin/env python3
"""Prints how long a million rows take: `INSERT … SELECT` of SQLite into a file with equal indexes, and imports.

usage: million.py FOLDER ROOST MILLIONROWS

Each is run three times, in turn, and the shortest time counts: of the statement alone, and of the whole programs. MILLIONROWS
imports with the library, by a mapping; ROOST is the tool, which reads all values twice, since the first time it finds the types.
"""

import os
import random
import sqlite3
import subprocess
import sys
import time

SCHEMA = """
CREATE TABLE person (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL, age INTEGER NOT NULL, balance REAL,
  joined DATETIME NOT NULL, code TEXT NOT NULL);
CREATE INDEX by_city ON person(city);
CREATE INDEX by_age ON person(age);
CREATE UNIQUE INDEX by_code ON person(code);
CREATE INDEX by_city_and_age ON person(city, age);
"""
ROWS = 1_000_000


def rows():
    numbers = random.Random(1)
    for number in range(1, ROWS + 1):
        day = f"20{numbers.randrange(30):02}-{numbers.randrange(1, 13):02}-{numbers.randrange(1, 28):02}"
        yield (
            number, f"Person {number} of {numbers.randrange(1000)}", f"city {numbers.randrange(1000)}",
            numbers.randrange(100), numbers.random() * 1000, f"{day} {numbers.randrange(24):02}:07:08",
            f"{number * 2654435761 % 2**32:08x}")


def remove(path):
    for ending in ("", "-journal", "-wal", "-shm"):
        if os.path.exists(path + ending):
            os.remove(path + ending)


def sqlite(source, path):
    remove(path)
    database = sqlite3.connect(path, isolation_level=None)
    database.executescript("PRAGMA synchronous = FULL;" + SCHEMA)
    database.execute("ATTACH ? AS source", (source,))
    began = time.monotonic()
    database.execute("INSERT INTO person SELECT * FROM source.person")
    taken = time.monotonic() - began
    database.close()
    return taken


def program(*command):
    began = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - began


def main(folder, roost, million_rows):
    source, store = os.path.join(folder, "source.sqlite"), os.path.join(folder, "copy.roost")
    database = sqlite3.connect(source)
    database.executescript(SCHEMA)
    database.executemany("INSERT INTO person VALUES (?, ?, ?, ?, ?, ?, ?)", rows())
    database.commit()
    database.close()
    times = {"INSERT … SELECT": [], "the library": [], "roost import": []}
    for _ in range(3):
        times["INSERT … SELECT"].append(sqlite(source, os.path.join(folder, "copy.sqlite")))
        remove(store)
        times["the library"].append(program(million_rows, source, store))
        remove(store)
        times["roost import"].append(program(roost, "import", store, source))
    shortest = min(times["INSERT … SELECT"])
    for name, taken in times.items():
        all_times = ", ".join(f"{one:.2f}" for one in taken)
        print(f"{name}: {min(taken):.2f} s ({all_times}), {min(taken) / shortest:.2f} times as long")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
