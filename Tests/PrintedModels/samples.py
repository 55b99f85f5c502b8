#!/usr/bin/env python3
"""Checks the models that `roost models` prints for samples, and the stores that `roost import` makes of them.

usage: samples.py print ROOST FOLDER REALM [COREDATA]
           prints the models of each sample as Swift into FOLDER/Sources, and makes a store of each in FOLDER/Stores:
           of Realm's files in REALM, of Core Data's in the folders of COREDATA, and of SQLite files made of the
           statements beside this program
       samples.py compare ROOST FOLDER PROGRAM
           runs the program that FOLDER/Sources became, and compares the stores that it made with the tool's; and
           those of Core Data's files with `expected.json` beside them
"""

import decimal
import gzip
import json
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
# The key of the encrypted samples.
KEY = bytes((37 * place + 11) % 256 for place in range(64))
# Read by no version of Roost, and made by a crash: the tests say what becomes of them.
NOT_READ = {"format-9"}


def fail(message):
    sys.exit(f"error: {message}")


def roost(tool, *arguments):
    run = subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True)
    if run.returncode != 0:
        fail(f"roost {' '.join(map(str, arguments))}: {run.stderr}")
    return run.stdout


def samples(realm, coredata, files):
    """Puts the files of all samples into a folder; gives their names, paths, and the path of what is in them."""
    for source in sorted(realm.glob("*.realm*")):
        name = source.name.split(".")[0]
        if name in NOT_READ:
            continue
        path = files / f"{name}.realm"
        path.write_bytes(gzip.decompress(source.read_bytes()) if source.suffix == ".gz" else source.read_bytes())
        yield name, path, None
    for folder in sorted(coredata.iterdir()) if coredata else []:
        if not (folder / "expected.json").exists():
            continue
        (files / folder.name).mkdir()
        for source in folder.iterdir():
            if ".sqlite" in source.name:
                shutil.copyfile(source, files / folder.name / source.name)
        store = json.loads((folder / "expected.json").read_text())["store"]["file"]
        yield folder.name, files / folder.name / store, folder / "expected.json"
    for source in sorted(HERE.glob("*.sql")):
        path = files / f"{source.stem}.sqlite"
        database = sqlite3.connect(path)
        database.executescript(source.read_text())
        database.close()
        yield f"sqlite-{source.stem}", path, None


def conformance(space, models, text):
    """The members that the check calls, by the printed text."""
    takes_key = "key: Data" in text
    lists = ", ".join(f"{model}.self" for model in models)
    return "\n".join([
        f"extension {space}: PrintedModels {{",
        "  static func open(_ path: String, importing url: Foundation.URL, key: Foundation.Data?) async throws -> Roost.Store {",
        f"    try await openStore(path, importing: url{', key: key ?? Foundation.Data()' if takes_key else ''})",
        "  }",
        "  static func make(_ path: Swift.String) throws -> Roost.Store {",
        f"    try Roost.Store(path, models: {lists})".replace("models: ,", "models: "),
        "  }",
        "  static func copy(_ copying: inout Copying) throws {",
        *[f"    try copying.copy({model}.self)" for model in models],
        "  }",
        "}",
        "",
    ]).replace("_ path: String", "_ path: Swift.String")


def prepare(tool, folder, realm, coredata=None):
    folder, realm = pathlib.Path(folder), pathlib.Path(realm)
    shutil.rmtree(folder, ignore_errors=True)
    sources, stores, files = folder / "Sources", folder / "Stores", folder / "Files"
    for new in (sources, stores, files):
        new.mkdir(parents=True)
    shutil.copyfile(HERE / "PrintedModels.swift", sources / "PrintedModels.swift")
    (folder / "key").write_bytes(KEY)
    calls, known = [], []
    for name, path, expected in samples(realm, coredata and pathlib.Path(coredata), files):
        space = "".join(word.capitalize() for word in re.split(r"\W", name)) + "File"
        keys = ["--key-file", folder / "key"] if name.startswith("encrypted") else []
        text = roost(tool, "models", path, "--in", space, *keys)
        roost(tool, "import", stores / f"{name}.roost", path, *keys)
        models = re.findall(r"^  struct (\S+): (?:Roost\.)?Model \{$", text, re.M)
        (sources / f"{space}.swift").write_text(text)
        known.append({"name": name, "models": len(models), "expected": expected and str(expected)})
        # Of a file without classes there is nothing to open.
        if models:
            with open(sources / f"{space}.swift", "a") as file:
                file.write("\n" + conformance(space, models, text))
            key = "key" if keys else "nil"
            calls.append(f"  await passes({space}.self, {json.dumps(name)}, {json.dumps(str(path))}, key: {key}),")
    main = ["import Foundation", "", f"let key = Data([{', '.join(map(str, KEY))}])", "let results = [", *calls, "]",
            "exit(results.allSatisfy(\\.self) ? 0 : 1)", ""]
    (sources / "main.swift").write_text("\n".join(main))
    (folder / "samples.json").write_text(json.dumps(known))


def objects(tool, path):
    """The lines of a store's objects, sorted, without those of values under names, such as the report of an import."""
    return sorted(line for line in roost(tool, "dump", path).splitlines() if not line.startswith('{"table":"value:'))


def root(entities, name):
    while entities[name]["parent"]:
        name = entities[name]["parent"]
    return name


def field(entity, name, objects):
    """The field of a property; None for a relationship that only its inverse says."""
    # Without a model in the file, names are those of columns. An `id` is beside the number that Core Data gives.
    names = ["identifier"] if name == "id" else [name, name.lower(), entity[0].lower() + entity[1:] + name[0].upper() + name[1:]]
    return next((known for known in names if known in objects), None)


def plain(value, kind):
    """A value of a dump or of the JSON so that equal ones are equal."""
    if value is None or kind == "to-many":
        return value
    if kind == "date":
        return value["seconds"] if isinstance(value, dict) else value
    if kind == "to-one":
        return value["pk"] if isinstance(value, dict) else value
    if kind == "decimal":
        return decimal.Decimal(value)
    return value


def compare_core_data(name, lines, expected):
    """Compares a store of a Core Data store with what is said to be in it; gives the number of values."""
    entities = expected["entities"]
    found = {}
    for line in map(json.loads, lines):
        found[line["table"], line["id"]] = line
    values = 0
    if sum(map(len, expected["objects"].values())) != len(found):
        fail(f"{name}: {len(found)} objects are in the store")
    for entity, objects in expected["objects"].items():
        table, description = root(entities, entity), entities[entity]
        for key, wanted in objects.items():
            line = found.get((table, int(key)))
            if line is None or line.get("entity", entity) != entity:
                fail(f"{name}: {entity} {key} is not in the store")
            for label, value in wanted.items():
                attribute = description["attributes"].get(label)
                relation = description["relationships"].get(label)
                kind = attribute["type"] if attribute else "to-many" if relation["to_many"] else "to-one"
                known = field(entity, label, line)
                if known is not None:
                    got = line[known]
                    if kind == "to-many" and not relation["ordered"]:
                        got = sorted(got)
                else:
                    got = backlinks(found, root(entities, relation["destination"]), relation["inverse"], int(key))
                if plain(got, kind) != plain(value, kind) or type(plain(got, kind)) != type(plain(value, kind)):
                    fail(f"{name}: {entity} {key}.{label} is {got} instead of {value}")
                values += 1
    return values


def backlinks(found, table, inverse, key):
    """The objects of a table that have a link to an object, by their inverse of it."""
    links = []
    for (model, other), line in found.items():
        if model == table and (name := field(table, inverse, line)):
            targets = line[name] if isinstance(line[name], list) else [line[name]]
            if key in targets:
                links.append(other)
    return sorted(links)


def compare(tool, folder, program):
    folder = pathlib.Path(folder)
    run = subprocess.run([program, folder / "Stores"], stdout=subprocess.PIPE, text=True)
    if run.returncode != 0:
        fail(f"{run.stdout}the program with the printed models ended with {run.returncode}")
    total = values = 0
    for sample in json.loads((folder / "samples.json").read_text()):
        name = sample["name"]
        lines = objects(tool, folder / "Stores" / f"{name}.roost")
        for other in ("copy", "mapped") if sample["models"] else ():
            found = objects(tool, folder / "Stores" / f"{name}.{other}.roost")
            for line, wanted in zip(found, lines):
                if line != wanted:
                    fail(f"{name}: the {other} has\n{line}\ninstead of\n{wanted}")
            if len(found) != len(lines):
                fail(f"{name}: the {other} has {len(found)} objects instead of {len(lines)}")
        total += len(lines)
        if sample["expected"]:
            values += compare_core_data(name, lines, json.loads(pathlib.Path(sample["expected"]).read_text()))
    print(f"{run.stdout}{total} objects of all samples are the same in the store of `roost import`, in a copy by the"
          f" printed models and by the printed mapping; {values} values of Core Data's are those of their JSON.")


def main(arguments):
    if arguments[:1] == ["print"] and len(arguments) in (4, 5):
        prepare(*arguments[1:])
    elif arguments[:1] == ["compare"] and len(arguments) == 4:
        compare(*arguments[1:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
