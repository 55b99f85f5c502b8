#!/usr/bin/env python3
"""An independent reader of Roost files, written from Format.md alone.

    reader.py FILE             every object of every table, as NDJSON
    reader.py --verify FILE    check the file; print the findings; exit 1 if there are any
    reader.py --strict FILE    as --verify, and every reserved or filling byte must be zero
    reader.py --forms FILE...  verify each file, and say which forms of Format.md none of them has; exit 1 if there are any

Python 3.9 or later, standard library only. The file is only read. Section numbers (§) are those
of Format.md.
"""

import base64
import collections
import math
import mmap
import os
import struct
import sys
from itertools import chain, islice
from json.encoder import encode_basestring
from operator import mul

M64 = (1 << 64) - 1
UNIT = 4096
BOUNDARY = 16384          # units an extent must not cross (64 MiB)
CHUNK = 1 << 20           # the most bytes of a value in one chunk
# Of each form of a list: the bytes of a full chunk, and the pointers of a full list.
LIST_FORMS = ((1 << 20, 43690), (255 * UNIT, 43688))
CATALOG = 1 << 24

# ------------------------------------------------------------------------------------------ XXH3

_SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8"
    "fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364ea"
    "c5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b"
    "16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")
_P32_1, _P32_2, _P32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
_P64_1, _P64_2, _P64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
_P64_4, _P64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5


def _u16(b, i):
    return int.from_bytes(b[i:i + 2], "little")


def _u32(b, i):
    return int.from_bytes(b[i:i + 4], "little")


def _u64(b, i):
    return int.from_bytes(b[i:i + 8], "little")


def _fold(a, b):
    p = a * b
    return (p & M64) ^ (p >> 64)


def _avalanche(h):
    h ^= h >> 37
    h = h * 0x165667919E3779F9 & M64
    return h ^ (h >> 32)


def _avalanche64(h):
    h ^= h >> 33
    h = h * _P64_2 & M64
    h ^= h >> 29
    h = h * _P64_3 & M64
    return h ^ (h >> 32)


def _mix16(b, i, s):
    return _fold(_u64(b, i) ^ _u64(_SECRET, s), _u64(b, i + 8) ^ _u64(_SECRET, s + 8))


# The secret as it lies over a block of 16 stripes: stripe s uses 64 bytes from 8 s on.
_BLOCK_SECRET = b"".join(_SECRET[8 * s:8 * s + 64] for s in range(16))
_SCRAMBLE = struct.unpack("<8Q", _SECRET[128:192])
_block_secrets = {}       # number of bytes -> the repeated block secret as one integer


def _accumulate(acc, data, secret):
    """Adds the stripes of data (at most one block each 1024 bytes) to acc, scrambling after each
    whole block only when asked by the caller: here data is one run without scrambling."""
    n = len(data)
    keyed = (int.from_bytes(data, "little") ^ secret).to_bytes(n, "little")
    words = struct.unpack("<%dI" % (n // 4), keyed)
    lanes = struct.unpack("<%dQ" % (n // 8), data)
    for i in range(8):
        acc[i] = (acc[i] + sum(lanes[i ^ 1::8])
                  + sum(map(mul, words[2 * i::16], words[2 * i + 1::16]))) & M64


def xxh3(data):
    """XXH3-64, seed 0, default secret."""
    n = len(data)
    if n > 240:
        data = bytes(data)
        acc = [_P32_3, _P64_1, _P64_2, _P64_3, _P64_4, _P32_2, _P64_5, _P32_1]
        blocks = (n - 1) // 1024
        whole = blocks * 1024
        if blocks:
            secret = _block_secrets.get(blocks)
            if secret is None:
                secret = _block_secrets[blocks] = int.from_bytes(_BLOCK_SECRET * blocks, "little")
            keyed = (int.from_bytes(data[:whole], "little") ^ secret).to_bytes(whole, "little")
            words = struct.unpack("<%dI" % (whole // 4), keyed)
            lanes = struct.unpack("<%dQ" % (whole // 8), data[:whole])
            prods = list(map(mul, words[0::2], words[1::2]))
            for at in range(0, 128 * blocks, 128):
                end = at + 128
                for i in range(8):
                    a = (acc[i] + sum(lanes[at + (i ^ 1):end:8]) + sum(prods[at + i:end:8])) & M64
                    a ^= a >> 47
                    acc[i] = (a ^ _SCRAMBLE[i]) * _P32_1 & M64
        stripes = (n - 1 - whole) // 64
        if stripes:
            _accumulate(acc, data[whole:whole + 64 * stripes],
                        int.from_bytes(_BLOCK_SECRET[:64 * stripes], "little"))
        _accumulate(acc, data[n - 64:], int.from_bytes(_SECRET[121:185], "little"))
        h = n * _P64_1 & M64
        for i in range(4):
            h += _fold(acc[2 * i] ^ _u64(_SECRET, 11 + 16 * i),
                       acc[2 * i + 1] ^ _u64(_SECRET, 19 + 16 * i))
        return _avalanche(h & M64)
    if n > 128:
        h = n * _P64_1
        for i in range(8):
            h += _mix16(data, 16 * i, 16 * i)
        h = _avalanche(h & M64)
        for i in range(8, n // 16):
            h += _mix16(data, 16 * i, 16 * (i - 8) + 3)
        return _avalanche((h + _mix16(data, n - 16, 119)) & M64)
    if n > 16:
        h = n * _P64_1
        for i in range((n - 1) // 32, -1, -1):
            h += _mix16(data, 16 * i, 32 * i) + _mix16(data, n - 16 - 16 * i, 32 * i + 16)
        return _avalanche(h & M64)
    if n > 8:
        lo = _u64(data, 0) ^ _u64(_SECRET, 24) ^ _u64(_SECRET, 32)
        hi = _u64(data, n - 8) ^ _u64(_SECRET, 40) ^ _u64(_SECRET, 48)
        swapped = int.from_bytes(lo.to_bytes(8, "little"), "big")
        return _avalanche((n + swapped + hi + _fold(lo, hi)) & M64)
    if n > 3:
        h = (_u32(data, n - 4) + (_u32(data, 0) << 32)) ^ _u64(_SECRET, 8) ^ _u64(_SECRET, 16)
        h ^= ((h << 49 | h >> 15) ^ (h << 24 | h >> 40)) & M64
        h = h * 0x9FB21C651E98DF25 & M64
        h ^= (h >> 35) + n
        h = h * 0x9FB21C651E98DF25 & M64
        return h ^ (h >> 28)
    if n > 0:
        c = data[0] << 16 | data[n >> 1] << 24 | data[n - 1] | n << 8
        return _avalanche64(c ^ _u32(_SECRET, 0) ^ _u32(_SECRET, 4))
    return _avalanche64(_u64(_SECRET, 56) ^ _u64(_SECRET, 64))


# ------------------------------------------------------------------------------------------- LZ4

def lz4_block(src, limit):
    """Decodes a raw LZ4 block to at most `limit` bytes."""
    out = bytearray()
    i, end = 0, len(src)
    while True:
        token = src[i]
        i += 1
        n = token >> 4
        if n == 15:
            while True:
                b = src[i]
                i += 1
                n += b
                if b != 255:
                    break
        if i + n > end or len(out) + n > limit:
            raise ValueError("literals run out of the block")
        out += src[i:i + n]
        i += n
        if i == end:
            return bytes(out)
        back = src[i] | src[i + 1] << 8
        i += 2
        n = token & 15
        if n == 15:
            while True:
                b = src[i]
                i += 1
                n += b
                if b != 255:
                    break
        n += 4
        at = len(out) - back
        if back == 0 or at < 0 or len(out) + n > limit:
            raise ValueError("a match lies outside the value")
        if back >= n:
            out += out[at:at + n]
        else:
            piece = bytes(out[at:])
            out += (piece * (n // back + 1))[:n]


# ---------------------------------------------------------------------------------------- basics

class Damage(Exception):
    """What the file says cannot be true."""


KINDS = {1: "inner node", 2: "leaf head", 3: "leaf group", 4: "index node", 5: "index leaf",
         6: "value", 7: "LZ4 value", 8: "value list", 9: "free log page", 10: "value node", 11: "roots extent",
         12: "list of named versions", 13: "ring"}

# What one file has and another has not, and every reader must know: some file of Tests/FormatTests/golden has each.
FORMS = ["extent: %s" % k for k in KINDS.values()] + [
    "column: encoding %d of %s" % pair for pair in (
        (0, "integer"), (1, "integer"), (2, "integer"), (3, "double"), (4, "double"), (3, "float"), (4, "float"),
        (5, "bytes"), (6, "bytes"), (7, "uuid"))] + [
    "column: null bitmap", "column: NaN", "column: external cells", "column: 16-bit offsets", "column: 32-bit offsets",
    "column: of no field of the catalog", "column: none, of a field with a default", "index leaf: starts",
    "index leaf: offsets", "index leaf: one length", "separator: with an object key", "separator: without one",
    "catalog: format 1", "catalog: format 2", "roots: inline", "roots: in an extent", "named versions",
    "value: a list of form 0", "value: a list of form 1"] + [
    "ring: %s" % form for form in (
        "closed", "no record behind the slot", "a record directly behind", "a record in the next unit",
        "a record at the beginning", "an idle mark", "a checkpoint", "a changed root", "a roots extent", "a free record",
        "an extent without a base", "a base in the file", "a base of an earlier record", "a unit used twice",
        "a record that is not whole", "a record of a version before the slot", "a record of rows",
        "extents behind a record of rows", "a deleted object", "an inserted object", "a changed object",
        "an object inserted where one was deleted")] + [
    "ring: operation %d" % kind for kind in range(7)]


class Pointer:
    __slots__ = ("unit", "units", "kind", "birth", "checksum", "null", "reserved")

    def __init__(self, b, at=0):
        raw = bytes(b[at:at + 24])
        if len(raw) != 24:
            raise Damage("a pointer lies outside its extent")
        self.null = raw == bytes(24)
        self.unit = int.from_bytes(raw[0:5], "little")
        self.units = raw[5] + 1
        self.kind = raw[6]
        self.reserved = raw[7]
        self.birth = _u64(raw, 8)
        self.checksum = _u64(raw, 16)

    def __str__(self):
        return "%s at unit %d (%d)" % (KINDS.get(self.kind, "kind %d" % self.kind), self.unit,
                                       self.units)


class Root:
    __slots__ = ("tree", "level", "kind", "objects", "extra", "pointer", "reserved",
                 "broken")

    def __init__(self, b, at):
        self.broken = False
        self.tree, self.level, self.kind, self.reserved, self.objects, self.extra = \
            struct.unpack_from("<IBBHQQ", b, at)
        self.pointer = Pointer(b, at + 24)


class Slot:
    def __init__(self, block, b):
        self.block = block
        self.bytes = b
        (self.transaction, self.confirmed, self.flags, self.high, self.free, self.compatible,
         self.readonly, self.incompatible) = struct.unpack_from("<8Q", b, 8)
        self.identity = b[72:88]
        self.catalog = Pointer(b, 88)
        self.catalog_length = _u64(b, 112)
        self.roots = Pointer(b, 120)
        self.log = Pointer(b, 144)
        self.log_pages, self.inline_roots, self.inline_free = struct.unpack_from("<IHH", b, 168)
        self.named = Pointer(b, 176)
        self.ring, self.ring_start, self.ring_chain = None, _u32(b, 224), _u64(b, 232)
        if any(b[200:240]):
            self.ring = Pointer(b, 200)
        self.inline = b[512:512 + 48 * self.inline_roots]
        self.checksum = _u64(b, 4088)
        if (self.incompatible & RING != 0) != (self.ring is not None):
            raise Damage("slot: a ring without its feature bit, or the other way round")
        if self.incompatible & RECORDED_ROWS and not self.ring:
            raise Damage("slot: recorded rows without a ring")
        r = self.ring
        if r and (r.kind != 13 or r.reserved or r.birth > self.transaction or not r.checksum or r.unit < 16
                  or r.unit + r.units > self.high or r.unit // BOUNDARY != (r.unit + r.units - 1) // BOUNDARY
                  or self.ring_start % 8 or self.ring_start > UNIT * r.units):
            raise Damage("slot: its ring")

    def feature_names(self):
        names, at = [], 256
        while at < 512 and self.bytes[at]:
            n = self.bytes[at]
            names.append(self.bytes[at + 1:at + 1 + n].decode("utf-8", "replace"))
            at += 1 + n
        return names


class Whole:
    """A whole record of a ring (§7), as far as it says so before its roots."""

    def __init__(self, b, at):
        self.at, self.bytes = at, b
        (_, self.length, self.transaction, self.chain, self.durable, self.confirmed, self.high, self.free,
         self.roots, self.frees, self.extents, self.flags) = struct.unpack_from("<II6Q4H", b, 0)
        self.end = at + self.length
        self.checksum = _u64(b, self.length - 8)


class Ring:
    """The ring of a slot (§7)."""

    def __init__(self, reader, p):
        self.reader, self.key = reader, p.checksum
        self.bytes = reader.map[p.unit * UNIT:(p.unit + p.units) * UNIT]

    def whole(self, at):
        """The whole record that begins at an offset, or None."""
        b = self.bytes
        if at % 8 or at + 72 > len(b) or b[at:at + 4] != b"RsRc":
            return None
        n = _u32(b, at + 4)
        if n < 72 or n % 8 or n > min(65536, len(b) // 2) or at + n > len(b):
            return None
        if xxh3(b[at:at + n - 8]) ^ self.key != _u64(b, at + n - 8):
            return None
        r = Whole(b[at:at + n], at)
        return r if 0 < r.transaction < 1 << 62 and r.confirmed <= r.durable <= r.transaction else None

    def all(self):
        """Every whole record, of whatever chain."""
        at = 0
        while at < len(self.bytes):
            at = self.bytes.find(b"RsRc", at)
            if at < 0:
                return
            r = self.whole(at)
            if r:
                yield r
            elif at % 8 == 0:
                self.reader.forms.add("ring: a record that is not whole")
            at = r.end if r else at + 1

    def next(self, at, transaction, chain):
        """The record that follows a version, or None."""
        for name, place in (("directly behind", at), ("in the next unit", -(-at // UNIT) * UNIT),
                            ("at the beginning", 0)):
            r = self.whole(place)
            if r and not r.flags & 4 and r.chain == chain and r.transaction > transaction:
                self.reader.forms.add("ring: a record " + name)
                return r
        return None


class RecordedRows:
    """What a record of rows (§7) says: table -> (counter, deleted keys, inserted rows, changed cells)."""

    def __init__(self, reader, name, b):
        self.name, self.bytes, self.at = name, b, 0
        self.tables = {}
        last = 0
        for _ in range(self.number()):
            table, counter = self.number(), self.number()
            if not last < table < 1 << 32:
                raise Damage("%s: its tables do not ascend" % name)
            last = table
            deleted = [self.signed() for _ in range(self.number())]
            keys = [self.signed() for _ in range(self.number())]
            columns, changed = {}, {}
            for field, kind in self.fields():
                columns[field] = (kind, [self.cell(kind) for _ in keys])
            for field, kind in self.fields():
                changed[field] = (kind, [(self.signed(), self.cell(kind)) for _ in range(self.number())])
            for text, some in (("a deleted object", deleted), ("an inserted object", keys),
                               ("a changed object", changed)):
                if some:
                    reader.forms.add("ring: " + text)
            if set(deleted) & set(keys):
                reader.forms.add("ring: an object inserted where one was deleted")
            self.tables[table] = (counter, deleted, keys, columns, changed)
        rest = b[self.at:]
        if len(rest) > 7 or any(rest):
            raise Damage("%s: %d bytes are left over behind its rows" % (name, len(rest)))

    def fields(self):
        last = 0
        for _ in range(self.number()):
            field = self.number()
            kind = self.take(1)[0]
            if not last < field < 1 << 32 or not P_INT <= kind <= P_UUID:
                raise Damage("%s: field %d of type %d" % (self.name, field, kind))
            last = field
            yield field, kind

    def take(self, n):
        if self.at + n > len(self.bytes):
            raise Damage("%s: its rows end early" % self.name)
        self.at += n
        return self.bytes[self.at - n:self.at]

    def number(self):
        n = bits = 0
        while True:
            byte = self.take(1)[0]
            n |= (byte & 127) << bits
            bits += 7
            if n >> 64 or bits > 70:
                raise Damage("%s: a number of more than 64 bits" % self.name)
            if byte < 128:
                return n

    def signed(self):
        n = self.number()
        return n >> 1 if n & 1 == 0 else ~(n >> 1)

    def cell(self, kind):
        if kind == P_BYTES:
            n = self.number()
            return self.take(n - 1) if n else None
        flag = self.take(1)[0]
        if flag > 1:
            raise Damage("%s: a cell that begins with %d" % (self.name, flag))
        if not flag:
            return None
        if kind == P_INT:
            return self.signed()
        if kind == P_UUID:
            return self.take(16)
        return struct.unpack("<d", self.take(8))[0] if kind == P_DOUBLE else struct.unpack("<f", self.take(4))[0]

    def apply(self, t, rows):
        """Changes a table's objects: key -> {field: value}."""
        _, deleted, keys, columns, changed = self.tables.get(t.id, (0, [], [], {}, {}))
        types = {f.id: f for f in t.fields if f.id}
        for fields in columns, changed:
            for field, (kind, _) in fields.items():
                if field not in types or types[field].physical != kind:
                    raise Damage("%s: table %s: field %d of type %d" % (self.name, t.name, field, kind))
        if keys and set(columns) != set(types):
            raise Damage("%s: table %s: rows of %d fields" % (self.name, t.name, len(columns)))
        for key in deleted:
            if rows.pop(key, None) is None:
                raise Damage("%s: table %s: object %d is not there to be deleted" % (self.name, t.name, key))
        for i, key in enumerate(keys):
            if key in rows:
                raise Damage("%s: table %s: object %d is there" % (self.name, t.name, key))
            rows[key] = {field: values[i] for field, (_, values) in columns.items()}
        for field, (_, cells) in changed.items():
            for key, value in cells:
                if key not in rows:
                    raise Damage("%s: table %s: object %d is not there" % (self.name, t.name, key))
                rows[key][field] = value
        for key in keys + [key for _, cells in changed.values() for key, _ in cells]:
            for f in types.values():
                if rows[key][f.id] is None and not f.flags & F_OPTIONAL:
                    raise Damage("%s: table %s: null in %s of object %d" % (self.name, t.name, f.name, key))


class Rows:
    """The objects of a table with rows that are not applied to its tree, for the dump as one leaf."""

    def __init__(self, t, rows):
        self.keys = sorted(rows)
        self.rows = len(rows)
        self.found = rows

    def column(self, number):
        return self.keys if number == 0 else [self.found[k][number] for k in self.keys]

    def field(self, f):
        return self.column(f.id)


class RecordedSlot:
    """The version that the records of a ring make of a slot's, to be used as its slot."""

    def __init__(self, reader, anchor, ring):
        self.__dict__.update(anchor.__dict__)
        self.anchor, self.reader = anchor, reader
        self.frees = []           # (transaction, free records) of each record
        self.pages = {}           # unit -> (pointer, bytes) of the extents that only records have
        self.owner = {}           # unit -> first unit of the recorded extent in it
        self.unapplied = []       # what each record of rows behind the last extents says
        self.count = 0
        at, chain = anchor.ring_start, anchor.ring_chain
        while True:
            r = ring.next(at, self.transaction, chain)
            if not r:
                return
            self.apply(r)
            at, chain = r.end, r.checksum
            self.count += 1

    def apply(self, r):
        b, reader = r.bytes, self.reader
        name = "record of version %d" % r.transaction
        if r.flags not in (0, 2, 8) or r.durable == r.transaction or r.roots > 24 or r.free > r.high \
                or not self.high <= r.high <= self.high + 65536:
            raise Damage("%s: its header" % name)
        at = 64 + 48 * r.roots
        if at + 16 * r.frees + 8 > r.length:
            raise Damage("%s: its roots and free records are longer than it is" % name)
        roots, frees = [b[i:i + 48] for i in range(64, at, 48)], b[at:at + 16 * r.frees]
        at += 16 * r.frees
        made = {}
        roots_extent = None
        for _ in range(r.extents):
            if at + 40 > r.length:
                raise Damage("%s: its extents are longer than it is" % name)
            p = Pointer(b, at)
            base, base_units = int.from_bytes(b[at + 24:at + 29], "little"), b[at + 29] + 1
            n = 8 * struct.unpack_from("<H", b, at + 30)[0]
            at += 32
            if at + n + 8 > r.length:
                raise Damage("%s: its operations are longer than it is" % name)
            if p.kind not in KINDS or p.kind in (9, 12, 13) or p.reserved or p.birth != r.transaction \
                    or p.unit < 16 or p.unit + p.units > r.high \
                    or p.unit // BOUNDARY != (p.unit + p.units - 1) // BOUNDARY:
                raise Damage("%s: %s, born %d" % (name, p, p.birth))
            if p.kind == 11:
                if roots_extent:
                    raise Damage("%s: two roots extents" % name)
                roots_extent = p
            source = self.base(name, base, base_units)
            page = self.operate(name, b[at:at + n], source, p.units * UNIT)
            at += n
            if any(u in made for u in range(p.unit, p.unit + p.units)):
                raise Damage("%s: %s overlaps another" % (name, p))
            for u in range(p.unit, p.unit + p.units):
                made[u] = (p, page)
        if r.flags & 8:
            if r.roots or r.frees or r.extents or (r.high, r.free) != (self.high, self.free) \
                    or not self.incompatible & RECORDED_ROWS:
                raise Damage("%s: a record of rows with roots, free records, extents, another mark, "
                             "or without its feature" % name)
            self.unapplied.append(RecordedRows(reader, name, b[at:r.length - 8]))
            reader.forms.add("ring: a record of rows")
            self.transaction = r.transaction
            return
        if at + 8 != r.length:
            raise Damage("%s: %d bytes are left over" % (name, r.length - 8 - at))
        if not r.flags & 2:
            if self.unapplied:
                reader.forms.add("ring: extents behind a record of rows")
            self.unapplied = []
        if r.flags & 2:
            reader.forms.add("ring: a checkpoint")
            if r.roots or r.extents:
                raise Damage("%s: a checkpoint with roots or extents" % name)
        if any(u in self.owner for u in made):
            reader.forms.add("ring: a unit used twice")
        for u, (p, page) in made.items():
            self.pages.pop(self.owner.get(u), None)
            self.owner[u] = p.unit
        for p, page in made.values():
            self.pages[p.unit] = (p, page)
        self.set_roots(name, roots, roots_extent)
        reader.forms.update(["ring: a free record"] * (r.frees > 0))
        self.frees.append((r.transaction, frees))
        self.transaction, self.high, self.free = r.transaction, r.high, r.free

    def set_roots(self, name, records, extent):
        if extent:
            self.roots, self.inline = extent, b""
            self.reader.forms.add("ring: a roots extent")
        old = [self.inline[i:i + 48] for i in range(0, len(self.inline), 48)]
        inline = {_u32(r, 0): r for r in old}
        last = 0
        for r in records:
            tree = _u32(r, 0)
            if tree <= last:
                raise Damage("%s: its roots do not ascend" % name)
            last = tree
            inline[tree] = r
            self.reader.forms.add("ring: a changed root")
        if len(inline) > 24:
            raise Damage("%s: %d inline roots" % (name, len(inline)))
        self.inline = b"".join(inline[tree] for tree in sorted(inline))
        self.inline_roots = len(inline)

    def base(self, name, unit, units):
        """The bytes of an extent of the version before."""
        if not unit:
            if units != 1:
                raise Damage("%s: no base of %d units" % (name, units))
            self.reader.forms.add("ring: an extent without a base")
            return b""
        end = unit + units
        if unit < 16 or end > self.high or unit // BOUNDARY != (end - 1) // BOUNDARY:
            raise Damage("%s: a base at unit %d" % (name, unit))
        owners = {self.owner.get(u) for u in range(unit, end)}
        if owners == {None}:
            self.reader.forms.add("ring: a base in the file")
            if end > self.anchor.high:
                raise Damage("%s: a base at unit %d above the slot's mark" % (name, unit))
            return self.reader.map[unit * UNIT:end * UNIT]
        if owners != {unit} or unit not in self.pages or self.pages[unit][0].units != units:
            raise Damage("%s: a base at unit %d overlaps a recorded extent" % (name, unit))
        self.reader.forms.add("ring: a base of an earlier record")
        return self.pages[unit][1]

    def operate(self, name, ops, base, count):
        """§7: what the operations make of the base."""
        out, at, shift = bytearray(), 0, 0

        def number():
            nonlocal at
            n = bits = 0
            while True:
                if at == len(ops):
                    raise Damage("%s: its operations end early" % name)
                byte = ops[at]
                at += 1
                n |= (byte & 127) << bits
                bits += 7
                if n >> 64 or bits > 70:
                    raise Damage("%s: a number of more than 64 bits" % name)
                if byte < 128:
                    return n

        def signed_number():
            n = number()
            return n >> 1 if n & 1 == 0 else ~(n >> 1)

        while len(out) < count:
            n = number()
            kind, n = n & 7, n >> 3
            width = (1, 1, 1, 1, 2, 4, 8, 1)[kind]
            if kind == 7 or not n and kind != 1 or len(out) + n * width > count:
                raise Damage("%s: operation %d, %d times" % (name, kind, n))
            self.reader.forms.add("ring: operation %d" % kind)
            if kind == 2:
                if at + n > len(ops):
                    raise Damage("%s: a literal ends early" % name)
                out += ops[at:at + n]
                at += n
                continue
            if kind == 3:
                out += bytes(n)
                continue
            change = signed_number() if kind else 0
            if kind == 1:
                shift += change
                if abs(change) > 1 << 24 or abs(shift) > 1 << 24:
                    raise Damage("%s: a shift by %d" % (name, shift))
            start = len(out) + shift
            if n and (start < 0 or start + n * width > len(base)):
                raise Damage("%s: an operation reads outside of its base" % name)
            piece = base[start:start + n * width] if n else b""
            if kind < 4:
                out += piece
                continue
            mask = (1 << 8 * width) - 1
            for i in range(0, len(piece), width):
                word = int.from_bytes(piece[i:i + width], "little") + change & mask
                out += word.to_bytes(width, "little")
        if len(ops) - at > 7:
            raise Damage("%s: %d bytes behind its operations" % (name, len(ops) - at))
        if self.reader.strict:
            self.reader.check(not any(ops[at:]), "not zero: filling of operations of %s", name)
        return bytes(out)


class NamedSlot:
    """An entry of the list of named versions (§5), to be used as the slot of that version."""

    def __init__(self, b, newer):
        self.block, self.bytes = newer.block, newer.bytes
        self.transaction, self.date, self.high, self.openings, self.inline_roots, n, flags = \
            struct.unpack_from("<QdQIHBB", b, 0)
        self.flags = 2 * (flags & 1)
        self.free, self.log_pages, self.inline_free = 0, 0, 0
        self.confirmed, self.compatible, self.readonly, self.incompatible = 0, 0, M64, 0
        self.catalog, self.catalog_length = Pointer(b, 32), _u64(b, 56)
        self.roots = Pointer(b, 64)
        self.log = self.named = Pointer(bytes(24))
        self.ring = None
        self.name_bytes = b[88:88 + n]
        self.unused = flags & 254
        self.roots_at = pad8(88 + n)
        self.size = self.roots_at + 48 * self.inline_roots
        self.inline = b[self.roots_at:self.size]
        if len(self.inline) != 48 * self.inline_roots or not n:
            raise Damage("named versions: an entry ends early")
        self.filling = b[88 + n:self.roots_at]


class Field:
    pass


class Table:
    def field(self, number):
        return next((f for f in self.fields if f.id == number), None)


class TableIndex:
    def key(self, values):
        """The key of an entry of these values (§4)."""
        key = b""
        for f, v in zip(self.fields, values):
            part = KEY[f.physical](v)
            if v is not None and f.physical == P_BYTES:
                part = b"\1" + v.replace(b"\0", b"\0\xff") + b"\0\1"
            key += part
        self.longest = max(self.longest, len(key))
        return key[:1024]

    def holds(self, values):
        """Whether an object with these values of the conditions' fields is in the index (§6)."""
        for (_, code, constant), v in zip(self.conditions, values):
            if code > 5:
                holds = (v is None) == (code == 6)
            elif v is None or v != v:
                holds = code == 1
            else:
                holds = (v == constant, v != constant, v < constant, v <= constant, v > constant,
                         v >= constant)[code]
            if not holds:
                return False
        return True


T_BOOL, T_INT, T_DOUBLE, T_FLOAT, T_STRING, T_DATA, T_DATE, T_UUID, T_LINK = range(1, 10)
T_UINT, T_DURATION, T_DECIMAL, T_JSON, T_LIST, T_SET, T_DICTIONARY, T_LINKS, T_COMPOUND = range(10, 19)
T_BLOB = 19
COLLECTIONS = (T_LIST, T_SET, T_DICTIONARY)
HAVE_PARTS = COLLECTIONS + (T_COMPOUND,)
NEVER_COMPOUNDED = HAVE_PARTS + (T_LINK, T_JSON)
UNORDERED = HAVE_PARTS + (T_JSON, T_LINKS, T_BLOB)
F_OPTIONAL, F_UNIQUE, F_INDEXED, F_NULLIFY, F_IDENTIFIER = 1, 2, 4, 8, 16
F_NULL_ON_DELETE, F_CASCADE = 32, 64
RING, RECORDED_ROWS = 2, 4  # incompatible features
DELETE_RULES = 1  # a read-only compatible feature
NAMED_VERSIONS = 2  # another one
P_INT, P_DOUBLE, P_FLOAT, P_BYTES, P_UUID = 1, 2, 3, 4, 5
TYPES = {P_INT: "integer", P_DOUBLE: "double", P_FLOAT: "float", P_BYTES: "bytes", P_UUID: "uuid"}
PHYSICAL = {T_BOOL: P_INT, T_INT: P_INT, T_LINK: P_INT, T_DOUBLE: P_DOUBLE, T_DATE: P_DOUBLE,
            T_FLOAT: P_FLOAT, T_STRING: P_BYTES, T_DATA: P_BYTES, T_UUID: P_UUID, T_UINT: P_INT,
            T_DURATION: P_UUID, T_DECIMAL: P_BYTES, T_JSON: P_BYTES, T_LIST: P_BYTES, T_SET: P_BYTES,
            T_DICTIONARY: P_BYTES, T_LINKS: P_BYTES, T_COMPOUND: P_BYTES,
            T_BLOB: P_BYTES}
WIDTHS = (0, 1, 2, 4, 8, 16, 24, 32, 40, 48, 56, 64)


def pad8(n):
    return n + 7 & ~7


def signed(n):
    n &= M64
    return n - (1 << 64) if n >> 63 else n


def double_bits(v):
    return struct.unpack("<Q", struct.pack("<d", v))[0]


# ----------------------------------------------------------------------------- columns (§3)

_BITS = {w: [tuple(b >> s & (1 << w) - 1 for s in range(0, 8, w)) for b in range(256)]
         for w in (1, 2, 4)}


def read_codes(b, at, n, w):
    """n unsigned integers of w bits."""
    if w == 0:
        return [0] * n
    size = (n * w + 7) // 8
    raw = b[at:at + size]
    if len(raw) != size:
        raise Damage("codes run out of the column")
    if w < 8:
        return list(islice(chain.from_iterable(map(_BITS[w].__getitem__, raw)), n))
    if w == 8:
        return list(raw)
    for width, letter in ((16, "H"), (32, "I"), (64, "Q")):
        if w <= width:
            break
    if w != width:
        step, wide = w // 8, bytearray(n * width // 8)
        for i in range(step):
            wide[i::width // 8] = raw[i::step]
        raw = wide
    return list(struct.unpack("<%d%s" % (n, letter), raw))


def codes_size(n, w):
    return pad8((n * w + 7) // 8) + (8 if w in (24, 40, 48, 56) else 0)


class Column:
    """A directory entry."""
    __slots__ = ("field", "type", "encoding", "width", "flags", "group", "parameter", "offset",
                 "length", "nulls", "low", "high")

    def __init__(self, b, at):
        (self.field, self.type, self.encoding, self.width, self.flags, self.group, self.parameter,
         self.offset, self.length, self.nulls, self.low, self.high) = \
            struct.unpack_from("<IBBBBHHIIIQQ", b, at)


# -------------------------------------------------------------------------------- the reader

class Reader:
    def __init__(self, path, verify=False, strict=False):
        self.verify, self.strict = verify, strict
        self.findings = []
        self.forms = set()        # which of FORMS were met (when verifying)
        self.owned = []           # (unit, units, text) of every extent met (when verifying)
        self.checked = set()      # (unit, checksum) of extents whose checksum was right
        self.pages = {}           # unit -> (pointer, bytes) of the extents that only the ring has
        self.walking = None       # the bound of births while §7's walk goes on
        with open(path, "rb") as f:
            self.size = os.fstat(f.fileno()).st_size
            if self.size < 65536:
                raise Damage("the file is shorter than its header and slots")
            self.map = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)
        self.open()

    # Findings: when verifying they are collected, otherwise the first ends the program.

    def finding(self, text):
        if not self.verify or self.walking is not None:
            raise Damage(text)
        self.findings.append(text)

    def check(self, truth, text, *args):
        if not truth:
            self.finding(text % args if args else text)

    def zeros(self, b, at, end, what, *args):
        if self.strict and self.walking is None and at < end and b.count(0, at, end) != end - at:
            self.finding("not zero: bytes %d..<%d of " % (at, end) + (what % args if args else what))

    # §2, §7: header, slots, choice of the version

    def open(self):
        h = self.map[0:UNIT]
        if h[:16] != b"\x89Roost\r\n\x1a\n" + bytes(6):
            raise Damage("not a Roost file")
        if _u64(h, 4088) != xxh3(h[:4088]):
            raise Damage("the header's checksum is wrong")
        number, unit = struct.unpack_from("<II", h, 16)
        if number != 1:
            raise Damage("format %d is not known" % number)
        if unit != UNIT:
            raise Damage("units of %d bytes" % unit)
        self.identity = h[24:40]
        self.zeros(h, 40, 4088, "the header")
        self.zeros(self.map[0:16384], 4096, 16384, "the file (behind the header)")

        self.slots, marks = [], []
        for block in range(3):
            at = 16384 * (block + 1)
            b = self.map[at:at + UNIT]
            if b[:8] == b"RoostMet" and xxh3(b[:4088]) == _u64(b, 4088) \
                    and b[72:88] == self.identity:
                self.slots.append(Slot(block, b))
            m = self.map[at + 4096:at + 4128]
            if m[:8] == b"RoostCnf" and xxh3(m[:24]) == _u64(m, 24):
                marks.append((block, _u64(m, 8), _u64(m, 16)))
        if not self.slots:
            raise Damage("no valid slot")
        self.marks = marks
        newest = max(self.slots, key=lambda s: s.transaction)
        closed = newest.flags & 4 and any(m[1:] == (newest.transaction, newest.checksum) for m in marks)
        rings = {}
        known = max([m[1] for m in marks] + [s.confirmed for s in self.slots])
        if not closed:
            for s in self.slots:
                if s.ring and s.transaction >= known and (s.ring.unit + s.ring.units) * UNIT <= self.size:
                    rings.setdefault((s.ring.unit, s.ring.checksum), Ring(self, s.ring))
        records = [r for ring in rings.values() for r in ring.all()]
        confirmed = max([known] + [r.confirmed for r in records])
        durable = max([confirmed] + [r.durable for r in records])
        self.confirmed = confirmed
        self.slot = None
        for s in sorted(self.slots, key=lambda s: -s.transaction):
            if s.transaction < confirmed:
                break
            if s.transaction == confirmed:
                # A mark names one slot: another of the same number is not what was confirmed.
                if all(m[2] == s.checksum for m in marks if m[1] == confirmed):
                    self.slot = s
                    break
            elif self.walk_is_whole(s):
                self.slot = s
                break
        if self.slot is None:
            raise Damage("version %d was confirmed, and there is no valid slot of it" % confirmed)
        s = self.slot
        self.check_features(s)
        if s.ring and closed:
            self.forms.add("ring: closed")
        elif s.ring and (s.ring.unit, s.ring.checksum) in rings:
            recorded = RecordedSlot(self, s, rings[s.ring.unit, s.ring.checksum])
            if recorded.count:
                s, self.pages = recorded, recorded.pages
            else:
                self.forms.add("ring: no record behind the slot")
            for r in records:
                if r.flags & 4:
                    self.forms.add("ring: an idle mark")
                elif r.transaction < self.slot.transaction:
                    self.forms.add("ring: a record of a version before the slot")
        if s.transaction < durable:
            raise Damage("version %d was durable, and the ring's records end at %d" % (durable, s.transaction))
        self.use(s)

    def check_features(self, s):
        if s.incompatible & ~(RING | RECORDED_ROWS):
            raise Damage("features this reader lacks: %#x %s"
                         % (s.incompatible, ", ".join(s.feature_names())))

    def use(self, s):
        self.slot = s
        self.roots = self.read_roots()
        self.tables = self.read_catalog()
        self.check_roots()
        self.named = self.read_named()
        if self.named:
            self.forms.add("named versions")

    def read_named(self):
        """§5: the named versions, as slots."""
        s, named = self.slot, []
        if s.named.null or self.skips(s.named):
            return []
        b = self.fetch(s.named, s.transaction, (12,), "slot")
        count = _u32(b, 4)
        if b[0] != 12 or not 1 <= count <= 64:
            raise Damage("named versions: type %d, %d versions" % (b[0], count))
        self.check(_u64(b, 8) == s.named.birth, "named versions: of transaction %d", _u64(b, 8))
        self.zeros(b, 1, 4, "the list of named versions")
        at = 16
        for _ in range(count):
            v = NamedSlot(b[at:], s)
            at += v.size
            self.check(0 < v.transaction < s.named.birth, "named version %d in a list of %d",
                       v.transaction, s.named.birth)
            self.check(v.high <= s.high, "named version %d: high-water mark %d", v.transaction, v.high)
            self.check(not named or named[-1].transaction <= v.transaction,
                       "named versions do not ascend")
            self.check(all(v.name_bytes != o.name_bytes for o in named), "a name of two versions")
            v.name_bytes.decode("utf-8")
            if self.strict:
                self.check(not v.unused and not any(v.filling), "not zero: filling of a named version")
            named.append(v)
        self.zeros(b, at, len(b), "the list of named versions")
        return named

    def check_roots(self):
        """§2: one root record for each tree of the catalog."""
        kinds = {}
        for t in self.tables:
            kinds[t.tree] = 1
            for tree in [f.index for f in t.fields if f.index] + [i.tree for i in t.indexes]:
                kinds[tree] = 2
        for tree, root in sorted(self.roots.items()):
            if kinds.get(tree) != root.kind:
                raise Damage("a root record of kind %d for tree %d, which is none of the catalog"
                             % (root.kind, tree))
        for tree, kind in sorted(kinds.items()):
            if tree not in self.roots:
                if self.slot.flags & 2:
                    raise Damage("tree %d has no root record" % tree)
                self.roots[tree] = self.empty_root(tree, kind)

    def walk_is_whole(self, s):
        """§7: every extent of s with a birth above its confirmed field has the right checksum."""
        if s.flags & 1:
            return True
        self.walking, self.slot = s.confirmed, s
        try:
            self.roots = self.read_roots()
            if s.catalog.birth > s.confirmed:
                self.read_value(s.catalog, s.catalog_length, s.transaction, "catalog")
            for _ in self.free_pages():
                pass
            named = self.read_named()
            for v in [s] + [v for v in named if v.transaction > s.confirmed]:
                if v is not s:
                    self.slot, self.roots = v, None
                    self.roots = self.read_roots()
                    if v.catalog.birth > s.confirmed:
                        self.read_value(v.catalog, v.catalog_length, v.transaction, "catalog")
                for root in self.roots.values():
                    if root.kind == 1:
                        for leaf in self.leaves(root):
                            leaf.walk()
                    else:
                        for _ in self.index_leaves(root):
                            pass
            return True
        except Damage:
            return False
        finally:
            self.walking = None
            self.checked.clear()

    # §1: extents

    def fetch(self, p, holder, kinds, where):
        """The bytes of the extent p points to. `holder`: birth of the extent that holds p."""
        if p.null:
            raise Damage("%s: null pointer" % where)
        if p.kind not in kinds:
            raise Damage("%s: pointer to %s" % (where, p))
        end = p.unit + p.units
        recorded, page = self.pages.get(p.unit, (None, None))
        if recorded and (recorded.units, recorded.kind, recorded.birth, recorded.checksum) != \
                (p.units, p.kind, p.birth, p.checksum):
            recorded = None
        if p.unit < 16 or end > self.slot.high or not recorded and end * UNIT > self.size:
            raise Damage("%s: %s lies outside the file or above the high-water mark %d"
                         % (where, p, self.slot.high))
        if self.verify and self.walking is None:
            self.owned.append((p.unit, p.units, "%s: %s" % (where, p)))
            self.forms.add("extent: %s" % KINDS[p.kind])
        self.check(p.unit // BOUNDARY == (end - 1) // BOUNDARY, "%s: %s crosses a boundary", where, p)
        self.check(p.birth <= holder, "%s: %s has birth %d, its holder %d", where, p, p.birth, holder)
        if p.reserved:
            raise Damage("%s: reserved byte of a pointer is %d" % (where, p.reserved))
        b = page if recorded else self.map[p.unit * UNIT:end * UNIT]
        key = (p.unit, p.units, p.checksum)
        if key not in self.checked:
            if xxh3(b) != p.checksum:
                raise Damage("%s: checksum of %s is wrong" % (where, p))
            self.checked.add(key)
        return b

    def skips(self, p):
        """Whether §7's walk does not descend into p."""
        return self.walking is not None and p.birth <= self.walking

    def attempt(self, f, *args):
        """f(*args), or None after a finding."""
        try:
            return f(*args)
        except (Damage, struct.error, IndexError, ValueError) as e:
            self.finding(str(e))
            return None

    # §2: roots

    def read_roots(self):
        s, roots = self.slot, {}
        if not s.roots.null and not self.skips(s.roots):
            b = self.fetch(s.roots, s.transaction, (11,), "slot")
            count = _u32(b, 0)
            if 8 + 48 * count > len(b):
                raise Damage("roots extent: %d records" % count)
            last = 0
            for i in range(count):
                r = Root(b, 8 + 48 * i)
                self.check(r.tree > last, "roots extent: tree ids do not ascend")
                last = r.tree
                r_birth = s.roots.birth
                roots[r.tree] = r
                self.check(r.pointer.birth <= r_birth, "roots extent: root of tree %d is younger", r.tree)
            self.zeros(b, 4, 8, "the roots extent")
            self.zeros(b, 8 + 48 * count, len(b), "the roots extent")
        elif not s.roots.null:
            # An old roots extent, not to be walked: what it points to is older still.
            pass
        if s.inline_roots > 24:
            raise Damage("slot: %d inline roots" % s.inline_roots)
        seen = set()
        for i in range(s.inline_roots):
            r = Root(s.inline, 48 * i)
            self.check(r.tree not in seen, "slot: two inline roots of tree %d", r.tree)
            seen.add(r.tree)
            roots[r.tree] = r
        self.forms.update(["roots: inline"] * (s.inline_roots > 0) + ["roots: in an extent"] * (not s.roots.null))
        for r in roots.values():
            self.check(r.tree > 0, "root record of tree 0")
            self.check(r.kind in (1, 2), "tree %d is of kind %d", r.tree, r.kind)
            self.check(r.level <= 12, "tree %d has level %d", r.tree, r.level)
            self.check(r.pointer.null == (r.objects == 0), "tree %d has %d objects and %s root",
                       r.tree, r.objects, "no" if r.pointer.null else "a")
            if self.strict:
                self.check(r.reserved == 0, "reserved bytes of the root record of tree %d", r.tree)
        s = getattr(s, "anchor", s)
        if isinstance(s, Slot):
            self.zeros(s.bytes, 228, 232, "the slot")
            self.zeros(s.bytes, 240, 256, "the slot")
            self.zeros(s.bytes, 512 + 48 * s.inline_roots, 1664, "the slot (inline roots)")
            self.zeros(s.bytes, 1664 + 16 * s.inline_free, 4088, "the slot (inline free records)")
        return roots

    # §6: catalog

    def read_catalog(self):
        s = self.slot
        if s.catalog.null:
            return []
        if s.catalog_length > CATALOG:
            raise Damage("a catalog of %d bytes" % s.catalog_length)
        b = self.read_value(s.catalog, s.catalog_length, s.transaction, "catalog")
        at = 0

        def number(n):
            nonlocal at
            if at + n > len(b):
                raise Damage("the catalog ends early")
            at += n
            return int.from_bytes(b[at - n:at], "little")

        def string():
            nonlocal at
            n = number(4)
            if at + n > len(b):
                raise Damage("the catalog ends early")
            at += n
            return b[at - n:at].decode("utf-8")

        def value():
            nonlocal at
            tag = number(1)
            if tag == 0:
                return None
            if tag == 1:
                return signed(number(8))
            if tag == 2:
                return struct.unpack("<d", number(8).to_bytes(8, "little"))[0]
            if tag == 3:
                return struct.unpack("<f", number(4).to_bytes(4, "little"))[0]
            if tag not in (4, 5):
                raise Damage("catalog: a value of tag %d" % tag)
            n = number(4) if tag == 4 else 16
            if at + n > len(b):
                raise Damage("the catalog ends early")
            at += n
            return b[at - n:at]

        def parts(whole, depth):
            count = number(4)
            if not 0 < count <= 1024 or depth > 8:
                raise Damage("catalog: %d columns of elements at depth %d" % (count, depth))
            found = []
            for _ in range(count):
                part = Field()
                part.name, part.type, part.flags = string(), number(1), number(1)
                if part.type not in PHYSICAL or part.type in (T_LINK, T_LINKS, T_BLOB):
                    raise Damage("catalog: elements of type %d" % part.type)
                if whole == T_COMPOUND and part.type in NEVER_COMPOUNDED:
                    raise Damage("catalog: a part of type %d" % part.type)
                part.physical = PHYSICAL[part.type]
                part.parts = parts(part.type, depth + 1) if part.type in HAVE_PARTS else []
                found.append(part)
            return found

        form = number(4)
        if form not in (1, 2):
            raise Damage("the format of the catalog is not known")
        self.forms.add("catalog: format %d" % form)
        next_table, next_tree, count = number(4), number(4), number(4)
        self.check(next_table and next_tree, "catalog: next table %d, next tree %d", next_table, next_tree)
        tables, trees = [], set()
        for _ in range(count):
            t = Table()
            t.id, t.name, t.tree, t.next_field = number(4), string(), number(4), number(4)
            t.fields = []
            trees.add(t.tree)
            for _ in range(number(4)):
                f = Field()
                f.id, f.name, f.type, f.flags = number(4), string(), number(1), number(1)
                f.target, f.index = number(4), number(4)
                f.default = value()
                f.parts = parts(f.type, 1) if f.type in HAVE_PARTS else []
                if f.type not in PHYSICAL:
                    raise Damage("catalog: field %s.%s is of type %d" % (t.name, f.name, f.type))
                f.physical = PHYSICAL[f.type]
                t.fields.append(f)
                if self.verify:
                    where = "catalog: field %s.%s" % (t.name, f.name)
                    self.check((f.index != 0) == (f.id != 0 and (f.flags & (F_UNIQUE | F_INDEXED) != 0
                                                                 or f.type in (T_LINK, T_LINKS))),
                               "%s: index %d, flags %d", where, f.index, f.flags)
                    if f.index:
                        self.check(f.index not in trees, "%s: its index is another tree too", where)
                        trees.add(f.index)
                    self.check(f.id < t.next_field, "%s: id %d, next %d", where, f.id, t.next_field)
                    self.check(f.index < next_tree, "%s: index %d, next %d", where, f.index, next_tree)
                    self.check((f.target != 0) == (f.type in (T_LINK, T_LINKS)), "%s: target %d", where, f.target)
                    self.check(f.default is None or isinstance(f.default, {
                        P_INT: int, P_DOUBLE: float, P_FLOAT: float, P_BYTES: bytes,
                        P_UUID: bytes}[f.physical]), "%s: default of another type", where)
                    self.check(f.id != 0 or f.flags & F_IDENTIFIER and f.physical == P_INT,
                               "%s: field 0 is no integer identifier", where)
                    rule = f.flags & (F_NULL_ON_DELETE | F_CASCADE)
                    self.check(not rule or f.type in (T_LINK, T_LINKS), "%s: a delete rule and no link", where)
                    self.check(rule != F_NULL_ON_DELETE | F_CASCADE, "%s: two delete rules", where)
                    self.check(f.type not in (T_LINKS, T_BLOB) or not f.flags & (F_OPTIONAL | F_UNIQUE | F_IDENTIFIER),
                               "%s: a list that is optional, unique or a key", where)
                    self.check(rule != F_NULL_ON_DELETE or f.flags & F_OPTIONAL or f.type == T_LINKS,
                               "%s: required, and null on deletion", where)
                    self.check(not rule or self.slot.readonly & DELETE_RULES,
                               "%s: a delete rule and no feature bit", where)
            t.indexes = []
            for _ in range(number(4) if form > 1 else 0):
                i = TableIndex()
                i.tree, i.unique = number(4), number(1)
                i.ids = [number(4) for _ in range(number(4))]
                i.conditions = []
                for _ in range(number(4)):
                    field, code = number(4), number(1)
                    i.conditions.append((field, code, value() if code < 6 else None))
                by_id = {f.id: f for f in t.fields}
                where = "catalog: index %d of %s" % (i.tree, t.name)
                for field in i.ids + [c[0] for c in i.conditions]:
                    if field == 0 or field not in by_id or by_id[field].type in UNORDERED:
                        raise Damage("%s: field %d" % (where, field))
                i.fields = [by_id[field] for field in i.ids]
                i.conditions = [(by_id[field], code, v) for field, code, v in i.conditions]
                self.check(i.unique in (0, F_UNIQUE), "%s: flags %d", where, i.unique)
                self.check(0 < i.tree < next_tree, "%s: tree, next %d", where, next_tree)
                self.check(i.tree not in trees, "%s: its tree is another one too", where)
                trees.add(i.tree)
                self.check(0 < len(i.ids) <= 16 and len(set(i.ids)) == len(i.ids), "%s: fields", where)
                self.check(len(i.conditions) <= 16, "%s: %d conditions", where, len(i.conditions))
                for f, code, v in i.conditions:
                    self.check(code <= 7, "%s: condition %d", where, code)
                    self.check(code > 5 or v is not None and v == v and isinstance(v, {
                        P_INT: int, P_DOUBLE: float, P_FLOAT: float, P_BYTES: bytes,
                        P_UUID: bytes}[f.physical]), "%s: a constant", where)
                t.indexes.append(i)
            self.check(not tables or tables[-1].id < t.id, "catalog: table ids do not ascend")
            self.check(len(t.indexes) <= 64, "catalog: table %s has %d indexes", t.name, len(t.indexes))
            identifiers = [f for f in t.fields if f.flags & F_IDENTIFIER]
            self.check(len(identifiers) == 1, "catalog: table %s has %d identifiers", t.name,
                       len(identifiers))
            t.identifier = identifiers[0] if identifiers else None
            if self.verify:
                i = t.identifier
                where = "catalog: table %s" % t.name
                self.check(not i or (i.id == 0) == (i.type in (T_INT, T_UINT)),
                           "%s: identifier is field %d, type %d", where, i and i.id, i and i.type)
                self.check(not i or i.id == 0 or i.index and i.flags & F_UNIQUE,
                           "%s: identifier without unique index", where)
                self.check(0 < t.id < next_table, "%s: id %d, next %d", where, t.id, next_table)
                self.check(0 < t.tree < next_tree, "%s: tree %d, next %d", where, t.tree, next_tree)
                self.check(len({f.id for f in t.fields}) == len(t.fields), "%s: field ids repeat", where)
                self.check(len({f.name for f in t.fields}) == len(t.fields), "%s: field names repeat", where)
                self.check(len(t.fields) <= 1024, "%s: %d fields", where, len(t.fields))
            tables.append(t)
        self.check(at == len(b), "catalog: %d bytes left over", len(b) - at)
        self.check(len({t.name for t in tables}) == len(tables), "catalog: table names repeat")
        self.check(len({t.tree for t in tables}) == len(tables), "catalog: two tables of one tree")
        for t in tables:
            for f in t.fields:
                self.check(not f.target or any(u.id == f.target for u in tables),
                           "catalog: the target of %s.%s is no table", t.name, f.name)
        return tables

    def empty_root(self, tree, kind):
        return Root(struct.pack("<IBBHQQ", tree, 0, kind, 0, 0, 2 - kind) + bytes(24), 0)

    # §3: values

    def read_value(self, p, length, holder, where):
        if p.kind == 10:
            return b"".join(self.read_tree(p, length, holder, where, 11, False))
        if p.kind != 8:
            self.check(length <= CHUNK, "%s: a chunk of %d bytes", where, length)
            b = self.fetch(p, holder, (6, 7), where)
            if p.kind == 6:
                if length > len(b):
                    raise Damage("%s: %d bytes in %s" % (where, length, p))
                self.zeros(b, length, len(b), "%s: %s", where, p)
                return b[:length]
            n = _u32(b, 0)
            if 4 + n > len(b):
                raise Damage("%s: %s has a block of %d bytes" % (where, p, n))
            self.zeros(b, 4 + n, len(b), "%s: %s", where, p)
            try:
                v = lz4_block(b[4:4 + n], length)
            except (ValueError, IndexError) as e:
                raise Damage("%s: %s: %s" % (where, p, e))
            if len(v) != length:
                raise Damage("%s: %s decodes to %d bytes, not %d" % (where, p, len(v), length))
            return v
        return b"".join(self.read_list(p, length, holder, where, None))

    def read_list(self, p, length, holder, where, level):
        b = self.fetch(p, holder, (8,), where)
        count, below = _u32(b, 4), _u64(b, 8)
        if b[0] != 8 or b[1] > 1 or b[2] >= len(LIST_FORMS) or level is None and length <= LIST_FORMS[b[2]][0] or count == 0 or 16 + 24 * count > len(b):
            raise Damage("%s: %s: type %d, level %d, %d pointers" % (where, p, b[0], b[1], count))
        self.check(below == length, "%s: %s says %d bytes, its parent %d", where, p, below, length)
        self.check(level is None or b[1] == level, "%s: %s has level %d", where, p, b[1])
        self.zeros(b, 3, 4, "%s: %s", where, p)
        self.zeros(b, 16 + 24 * count, len(b), "%s: %s", where, p)
        level = b[1]
        chunk, pointers = LIST_FORMS[b[2]]
        self.forms.add("value: a list of form %d" % b[2])
        if count > pointers:
            raise Damage("%s: %s: %d pointers" % (where, p, count))
        full = chunk * pointers ** level
        if not full * (count - 1) < length <= full * count:
            raise Damage("%s: %s: %d bytes in %d parts" % (where, p, length, count))
        for i in range(count):
            q = Pointer(b, 16 + 24 * i)
            part = min(full, length - full * i)
            if self.skips(q):
                continue
            if level:
                yield from self.read_list(q, part, p.birth, where, level - 1)
            else:
                if q.kind in (8, 10):
                    raise Damage("%s: %s: a list where a chunk belongs" % (where, p))
                yield self.read_value(q, part, p.birth, where)

    def read_tree(self, p, length, holder, where, level, exact):
        b = self.fetch(p, holder, (10,), where)
        count, below = _u16(b, 2), _u64(b, 8)
        if b[0] != 10 or not 1 <= count <= 127 or b[1] > level or exact and b[1] != level:
            raise Damage("%s: %s: type %d, level %d, %d children" % (where, p, b[0], b[1], count))
        self.check(below == length, "%s: %s says %d bytes, its parent %d", where, p, below, length)
        self.zeros(b, 4, 8, "%s: %s", where, p)
        self.zeros(b, 16, 32, "%s: %s", where, p)
        self.zeros(b, 32 + 24 * count, 3080, "%s: %s", where, p)
        self.zeros(b, 3080 + 8 * count, len(b), "%s: %s", where, p)
        start = 0
        for i in range(count):
            q, end = Pointer(b, 32 + 24 * i), _u64(b, 3080 + 8 * i)
            if not start < end <= length:
                raise Damage("%s: %s: child %d ends at %d" % (where, p, i, end))
            if not self.skips(q):
                if b[1]:
                    yield from self.read_tree(q, end - start, p.birth, where, b[1] - 1, True)
                elif q.kind in (8, 10):
                    raise Damage("%s: %s: a node where a chunk belongs" % (where, p))
                else:
                    yield self.read_value(q, end - start, p.birth, where)
            start = end
        self.check(start == length, "%s: %s: its children end at %d", where, p, start)

    # §3: object trees

    def leaves(self, root):
        """The leaves of a tree in the order of their keys."""
        if root.pointer.null or self.skips(root.pointer):
            return
        yield from self.node(root.pointer, self.slot.transaction, root, root.level, root.objects,
                             -1 << 63, 1 << 63)

    def unapplied(self, t):
        """What records of rows say of a table that is not in its tree."""
        return [r for r in getattr(self.slot, "unapplied", ()) if t.id in r.tables]

    def objects(self, t, root):
        """The objects of a table, in the leaves of its tree, or where some are not applied to it, all in one."""
        if self.unapplied(t):
            yield self.merged(t, self.leaves(root))
        else:
            yield from self.leaves(root)

    def merged(self, t, leaves):
        """The objects of some leaves with the rows that are not applied to their tree."""
        rows = {}
        for leaf in leaves:
            columns = {f.id: leaf.field(f) for f in t.fields if f.id}
            for i, key in enumerate(leaf.column(0)):
                rows[key] = {field: values[i] for field, values in columns.items()}
        for r in self.unapplied(t):
            r.apply(t, rows)
        return Rows(t, rows)

    def node(self, p, holder, root, level, objects, low, high):
        where = "tree %d" % root.tree
        if level == 0:
            leaf = self.attempt(Leaf, self, p, holder, root, objects, low, high)
            if leaf:
                yield leaf
            else:
                root.broken = True
            return
        parsed = self.attempt(self.inner, p, holder, root, level, objects, low, high, where)
        if parsed is None:
            root.broken = True
            return
        keys, counts, pointers = parsed
        for i, q in enumerate(pointers):
            if self.skips(q):
                continue
            top = keys[i + 1] if i + 1 < len(keys) else high
            yield from self.node(q, p.birth, root, level - 1, counts[i], max(low, keys[i]),
                                 min(high, top))

    def inner(self, p, holder, root, level, objects, low, high, where):
        b = self.fetch(p, holder, (1,), where)
        where = "%s: %s" % (where, p)
        n, tree, below = struct.unpack_from("<HIQ", b, 2)
        if b[0] != 1 or not 1 <= n <= 101 or p.units != 1:
            raise Damage("%s: type %d, %d children" % (where, b[0], n))
        if b[1] != level:
            raise Damage("%s: level %d, not %d" % (where, b[1], level))
        self.check(tree == root.tree, "%s: tree id %d", where, tree)
        self.check(below == objects, "%s: %d objects, its parent says %d", where, below, objects)
        keys = struct.unpack_from("<%dq" % n, b, 32)
        counts = struct.unpack_from("<%dQ" % n, b, 840)
        pointers = [Pointer(b, 1648 + 24 * i) for i in range(n)]
        self.check(sum(counts) == below, "%s: its children have %d objects, it says %d", where,
                   sum(counts), below)
        self.check(all(a < c for a, c in zip(keys, keys[1:])), "%s: keys do not ascend", where)
        self.check(low <= keys[0] and keys[-1] < high, "%s: keys %d to %d outside [%d, %d)", where,
                   keys[0], keys[-1], low, high)
        self.zeros(b, 16, 32, where)
        self.zeros(b, 32 + 8 * n, 840, where)
        self.zeros(b, 840 + 8 * n, 1648, where)
        self.zeros(b, 1648 + 24 * n, UNIT, where)
        return keys, counts, pointers

    # §4: indexes

    def index_leaves(self, root):
        """(values, entries) of every leaf; entries is a list of (bytes, object key)."""
        if root.pointer.null or self.skips(root.pointer):
            return
        yield from self.index_node(root.pointer, self.slot.transaction, root, root.level,
                                   root.objects, (b"", -1 << 63), None)

    def index_node(self, p, holder, root, level, entries, low, high):
        f = self.index_inner if level else self.index_leaf
        parsed = self.attempt(f, p, holder, root, level, entries, low, high)
        if parsed is None:
            root.broken = True
            return
        if level == 0:
            yield parsed
            return
        pointers, counts, separators = parsed
        for i, q in enumerate(pointers):
            if self.skips(q):
                continue
            below = low if i == 0 else max(low, separators[i - 1])
            above = high if i == len(pointers) - 1 else separators[i]
            if above is not None and high is not None:
                above = min(above, high)
            yield from self.index_node(q, p.birth, root, level - 1, counts[i], below, above)

    def index_inner(self, p, holder, root, level, entries, low, high):
        where = "index %d" % root.tree
        b = self.fetch(p, holder, (4,), where)
        where = "%s: %s" % (where, p)
        n, tree, below, prefix = struct.unpack_from("<HIQH", b, 2)
        at = 32 + 34 * n
        if b[0] != 4 or n == 0 or at + prefix + 8 > len(b) or p.units > 4:
            raise Damage("%s: type %d, %d children, %d units" % (where, b[0], n, p.units))
        if b[1] != level:
            raise Damage("%s: level %d, not %d" % (where, b[1], level))
        self.check(tree == root.tree, "%s: tree id %d", where, tree)
        self.check(below == entries, "%s: %d entries, its parent says %d", where, below, entries)
        pointers = [Pointer(b, 32 + 24 * i) for i in range(n)]
        sums = struct.unpack_from("<%dQ" % n, b, 32 + 24 * n)
        counts = [c - a for a, c in zip((0,) + sums, sums)]
        self.check(all(c > 0 for c in counts) and sums[-1] == below,
                   "%s: entries below its children %s, it says %d", where, sums, below)
        fields = struct.unpack_from("<%dH" % n, b, 32 + 32 * n)
        common = b[at:at + prefix]
        at += prefix
        offsets = [f & 0x7FFF for f in fields]
        if offsets[0] != 0 or any(a > c for a, c in zip(offsets, offsets[1:])) \
                or at + offsets[-1] + 8 > len(b):
            raise Damage("%s: offsets of the separators" % where)
        if self.strict:
            self.check(not fields[-1] >> 15, "%s: highest bit of the last offset", where)
        separators = []
        for i in range(n - 1):
            s = b[at + offsets[i]:at + offsets[i + 1]]
            key = -1 << 63
            if fields[i] >> 15:
                if len(s) < 8:
                    raise Damage("%s: a separator too short for its key" % where)
                key = s[-8:]
                s = s[:-8]
                key = self.separator_key(key)
            self.forms.add("separator: with%s" % (" an object key" if fields[i] >> 15 else "out one"))
            separators.append((common + s, key))
        self.check(all(a < c for a, c in zip(separators, separators[1:])),
                   "%s: separators do not ascend", where)
        self.check(not separators or low < separators[0]
                   and (high is None or separators[-1] < high),
                   "%s: separators outside those above", where)
        self.zeros(b, 18, 32, where)
        self.zeros(b, at + offsets[-1], len(b), where)
        return pointers, counts, separators

    @staticmethod
    def separator_key(raw):
        return int.from_bytes(raw, "little", signed=True)

    def index_leaf(self, p, holder, root, level, entries, low, high):
        where = "index %d" % root.tree
        b = self.fetch(p, holder, (5,), where)
        where = "%s: %s" % (where, p)
        m, tree, n, width, _, prefix, least, suffix = struct.unpack_from("<HIIBBHqH", b, 2)
        if b[0] != 5 or b[1] != 0 or not 1 <= m <= n <= 65535 or width > 8 or p.units > 4:
            raise Damage("%s: type %d, level %d, %d values, %d entries, width %d, %d units"
                         % (where, b[0], b[1], m, n, width, p.units))
        self.check(tree == root.tree, "%s: tree id %d", where, tree)
        self.check(n == entries, "%s: %d entries, its parent says %d", where, n, entries)
        if self.walking is not None:
            return m, None
        at = 32
        common = b[at:at + prefix]
        at += prefix
        if n == m:
            starts = range(m + 1)
        else:
            starts = struct.unpack_from("<%dH" % (m + 1), b, at)
            at += 2 * (m + 1)
            if starts[0] != 0 or starts[-1] != n or any(a >= c for a, c in zip(starts, starts[1:])):
                raise Damage("%s: starts" % where)
        if suffix != 65535:
            offsets = range(0, suffix * (m + 1), suffix) if suffix else (0,) * (m + 1)
        else:
            offsets = struct.unpack_from("<%dH" % (m + 1), b, at)
            at += 2 * (m + 1)
            if offsets[0] != 0 or any(a > c for a, c in zip(offsets, offsets[1:])):
                raise Damage("%s: offsets" % where)
        self.forms.add("index leaf: %s" % ("offsets" if suffix == 65535 else "one length"))
        if n != m:
            self.forms.add("index leaf: starts")
        keys_at = at + offsets[m]
        end = keys_at + width * n
        if end + 8 > len(b):
            raise Damage("%s: its parts run out of the extent" % where)
        values = [common + b[at + offsets[i]:at + offsets[i + 1]] for i in range(m)]
        self.check(all(a < c for a, c in zip(values, values[1:])), "%s: values do not ascend", where)
        raw = b[keys_at:end]
        wide = bytearray(8 * n)
        for i in range(width):
            wide[i::8] = raw[i::width]
        keys = [least + k for k in struct.unpack("<%dQ" % n, wide)]
        self.check(max(keys) < 1 << 63, "%s: object key above the largest", where)
        if n == m:
            result = list(zip(values, keys))
        else:
            result = []
            for i, v in enumerate(values):
                mine = keys[starts[i]:starts[i + 1]]
                self.check(all(a < c for a, c in zip(mine, mine[1:])),
                           "%s: keys of a value do not ascend", where)
                result += [(v, k) for k in mine]
        self.check(low <= result[0] and (high is None or result[-1] < high),
                   "%s: entries outside the separators", where)
        self.zeros(b, 13, 14, where)
        self.zeros(b, 26, 32, where)
        self.zeros(b, end, len(b), where)
        return m, result

    # §5: free space

    def free_pages(self):
        """(transaction, records) of the pages of the free log, newest first."""
        s = self.slot
        p, holder = s.log, s.transaction
        self.check((s.log_pages == 0) == p.null, "slot: %d pages in the free log", s.log_pages)
        for i in range(s.log_pages):
            if self.skips(p):
                return
            b = self.fetch(p, holder, (9,), "free log")
            n, t = _u32(b, 4), _u64(b, 8)
            if b[0] != 9 or n > 252 or p.units != 1:
                raise Damage("free log: %s: type %d, %d records" % (p, b[0], n))
            self.check(t == p.birth, "free log: %s is of transaction %d, born %d", p, t, p.birth)
            yield t, b[64:64 + 16 * n]
            self.zeros(b, 1, 4, "%s", p)
            self.zeros(b, 40, 64, "%s", p)
            self.zeros(b, 64 + 16 * n, UNIT, "%s", p)
            holder = p.birth
            p = Pointer(b, 16)

    def verify_space(self):
        s = self.slot
        if getattr(s, "anchor", s).high * UNIT > self.size:
            self.finding("the file ends below the high-water mark (%d bytes, %d units)"
                         % (self.size, s.high))
        FREE, USED = 1, 2
        self.freed = {}  # unit: (birth, death) of those that are free, where there are named versions
        state = bytearray(s.high)
        pages = self.attempt(lambda: list(self.free_pages())) or []
        if s.inline_free > 151:
            self.finding("slot: %d inline free records" % s.inline_free)
        sets = [(t, raw, "free log page of %d" % t) for t, raw in reversed(pages)]
        sets.append((getattr(s, "anchor", s).transaction, s.bytes[1664:1664 + 16 * min(s.inline_free, 151)],
                     "inline free record"))
        sets += [(t, raw, "free record of record %d" % t) for t, raw in getattr(s, "frees", ())]
        for t, raw, where in sets:
            for word, birth, death in struct.iter_unpack("<QII", raw):
                unit, units = word & (1 << 40) - 1, (word >> 40 & 0x3FFF) + 1
                end = unit + units
                text = "%s: units %d..<%d" % (where, unit, end)
                if unit < 16 or end > s.high:
                    self.finding("%s lie outside the file" % text)
                    continue
                self.check(unit // BOUNDARY == (end - 1) // BOUNDARY, "%s cross a boundary", text)
                if word >> 63:
                    self.check(death <= birth, "%s: freed %d, born %d before", text, death, birth)
                    self.check(birth == 0xFFFFFFFF or birth <= t, "%s: born before 0", text)
                if self.strict:
                    self.check(word >> 54 & 0x1FF == 0, "%s: bits 54-62", text)
                state[unit:end] = bytes([FREE if word >> 63 else 0]) * units
                for u in range(unit, end) if self.named else ():
                    if word >> 63:
                        self.freed[u] = (0 if birth == 0xFFFFFFFF else t - birth,
                                         t if death == 0xFFFFFFFF else t - death)
                    else:
                        self.freed.pop(u, None)
        count = state.count(FREE)
        self.check(count == s.free, "slot: %d free units, the free log has %d", s.free, count)
        state[0:16] = bytes([USED]) * 16
        self.owned.sort()
        last_end, last_text = 16, "the slots"
        for unit, units, text in self.owned:
            if unit < last_end:
                self.finding("%s overlaps %s" % (text, last_text))
            if unit + units > last_end:
                last_end, last_text = unit + units, text
            n = state.count(FREE, unit, unit + units)
            self.check(n == 0, "%s: %d of its units are free", text, n)
            state[unit:unit + units] = bytes([USED]) * units
        at = state.find(0)
        while at >= 0:
            end = at
            while end < s.high and not state[end]:
                end += 1
            self.finding("units %d..<%d belong to nobody" % (at, end))
            at = state.find(0, end)

    # Everything

    def run_verify(self):
        for block, t, checksum in self.marks:
            of = next((s for s in self.slots if s.block == (block + 2) % 3), None)
            if of and of.transaction == t:
                self.check(of.checksum == checksum, "mark in block %d: checksum of slot %d", block, t)
        s = self.slot
        self.check(s.transaction < 1 << 62, "slot: transaction %d", s.transaction)
        self.check(s.confirmed < s.transaction, "slot: transaction %d, confirmed %d", s.transaction,
                   s.confirmed)
        self.check(s.named.null == (s.readonly & NAMED_VERSIONS == 0),
                   "slot: a list of named versions without its feature bit, or the other way round")
        if s.ring:
            self.owned.append((s.ring.unit, s.ring.units, "the ring"))
            self.forms.add("extent: ring")
        self.verify_tables()
        self.verify_space()
        newest = self.owned
        for v in self.named:
            self.slot, self.owned = v, []
            self.attempt(self.verify_named)
            self.check_not_written(v)
        self.slot, self.owned = s, newest

    def verify_named(self):
        self.roots = self.read_roots()
        self.tables = self.read_catalog()
        self.check_roots()
        self.verify_tables()

    def check_not_written(self, v):
        """§8: nothing of a named version is free and to be written."""
        for unit, units, text in self.owned:
            for u in range(unit, unit + units):
                ages = self.freed.get(u)
                if ages and not ages[0] <= v.transaction < ages[1]:
                    self.finding("named version %d: %s: unit %d is free and was born %d, freed %d"
                                 % (v.transaction, text, u, ages[0], ages[1]))
                    break

    def verify_tables(self):
        for t in self.tables:
            for f in t.fields:
                if f.default is not None and (f.type in HAVE_PARTS or f.type in (T_DECIMAL, T_STRING, T_JSON)):
                    self.attempt(text_of(f), f.default)
                self.check(f.type != T_BOOL or f.default in (None, 0, 1), "%s.%s: default", t.name, f.name)
                self.check(f.type != T_LINKS or f.default is None or len(f.default) % 8 == 0,
                           "%s.%s: default", t.name, f.name)
            self.verify_table(t)

    def verify_table(self, t):
        root = self.roots[t.tree]
        expected = {f.id: [] for f in t.fields if f.index}
        too_long = set()
        for i in t.indexes:
            i.expected, i.longest = [], 0
        objects, last, leaves = 0, None, []
        for leaf in self.leaves(root):
            objects += leaf.rows
            if self.unapplied(t):
                leaves.append(leaf)
            try:
                leaf.verify(t, expected, too_long)
            except (Damage, struct.error, IndexError, ValueError) as e:
                self.finding("%s: %s" % (leaf.where, e))
                root.broken = True
            last = leaf.last
        if self.unapplied(t) and not root.broken:
            self.attempt(self.merged, t, leaves)
        self.check(objects == root.objects, "table %s: %d objects, its root says %d", t.name, objects,
                   root.objects)
        if t.identifier and t.identifier.id != 0 and last is not None:
            self.check(last < root.extra, "table %s: key %d, the next is to be %d", t.name, last, root.extra)
        for f in t.fields:
            if not f.index:
                continue
            where = "index %d (%s.%s)" % (f.index, t.name, f.name)
            iroot = self.roots[f.index]
            self.check(f.physical != P_INT or f.id != 0, "%s indexes the object key", where)
            want = sorted(expected[f.id])
            have, values = [], 0
            for m, entries in self.index_leaves(iroot):
                values += m
                have += entries
            self.check(len(have) == iroot.objects, "%s: %d entries, its root says %d", where, len(have),
                       iroot.objects)
            self.check(values == iroot.extra, "%s: %d values, its root says %d", where, values, iroot.extra)
            if have != want and not root.broken and not iroot.broken:
                a, c = set(have), set(want)
                self.check(len(a) == len(have), "%s: %d entries twice", where, len(have) - len(a))
                for text, some in (("without an object", a - c), ("missing", c - a)):
                    if some:
                        self.finding("%s: %d entries %s, as %r" % (where, len(some), text, min(some)))
                if a == c:
                    self.finding("%s: entries out of order" % where)
            if f.flags & F_UNIQUE:
                twice = next((x for x, y in zip(have, have[1:]) if x[0] == y[0] and x[0] != b"\0"), None)
                self.check(twice is None, "%s: a value is not unique: %r", where, twice)
                self.check(f.id not in too_long, "%s: a unique value of more than 1023 bytes", where)

        for i in t.indexes:
            where = "index %d (%s: %s)" % (i.tree, t.name, ", ".join(f.name for f in i.fields))
            iroot = self.roots[i.tree]
            want = sorted((key, k) for key, k, _ in i.expected)
            have, values = [], 0
            for m, entries in self.index_leaves(iroot):
                values += m
                have += entries
            self.check(len(have) == iroot.objects, "%s: %d entries, its root says %d", where, len(have),
                       iroot.objects)
            self.check(values == iroot.extra, "%s: %d values, its root says %d", where, values, iroot.extra)
            if have != want and not root.broken and not iroot.broken:
                self.finding("%s: not the entries that its objects ask for" % where)
            if i.unique:
                whole = sorted(key for key, _, has_null in i.expected if not has_null)
                self.check(all(x != y for x, y in zip(whole, whole[1:])), "%s: not unique", where)
                self.check(not i.longest > 1024, "%s: a key of %d bytes", where, i.longest)

    # Output

    def dump(self, out):
        by_id = {t.id: t for t in self.tables}
        names = {}

        def identifiers(t):
            """object key -> the identifier as JSON."""
            if t.id not in names:
                names[t.id] = found = {}
                root = self.roots.get(t.tree) or self.empty_root(t.tree, 1)
                for leaf in self.objects(t, root):
                    keys = leaf.column(0)
                    texts = map(TEXT[t.identifier.type], keys) if t.identifier.id == 0 else \
                        texts_of(t.identifier, leaf.field(t.identifier))
                    found.update(zip(keys, texts))
            return names[t.id]

        def texts_of(f, values):
            if f.type == T_LINK:
                found = identifiers(by_id[f.target])
                return ["null" if v is None else found.get(v, "null") for v in values]
            if f.type == T_LINKS:
                found = identifiers(by_id[f.target])
                return ["[%s]" % ",".join(found.get(k, "null") for k in links_of(v)) for v in values]
            text = text_of(f)
            return ["null" if v is None else text(v) for v in values] if None in values \
                else list(map(text, values))

        for t in self.tables:
            root = self.roots.get(t.tree) or self.empty_root(t.tree, 1)
            line = '{"table": %s' % encode_basestring(t.name).replace("%", "%%")
            for f in t.fields:
                name = "_" + f.name if f.name.lstrip("_") == "table" else f.name
                line += ", %s: %%s" % encode_basestring(name).replace("%", "%%")
            line += "}\n"
            objects = 0
            for leaf in self.objects(t, root):
                columns = [texts_of(f, leaf.field(f)) for f in t.fields]
                out.write("".join(map(line.__mod__, zip(*columns))).encode("utf-8"))
                objects += leaf.rows
            self.check(objects == root.objects or self.unapplied(t), "table %s: %d objects, its root says %d",
                       t.name, objects, root.objects)


class Leaf:
    """A leaf of an object tree (§3)."""

    def __init__(self, reader, p, holder, root, objects, low, high):
        self.reader, self.birth = reader, p.birth
        where = "tree %d" % root.tree
        b = self.head = reader.fetch(p, holder, (2,), where)
        self.where = where = "%s: %s" % (where, p)
        check = reader.check
        kind, level, groups, tree, rows, columns, _, self.first, self.last = \
            struct.unpack_from("<BBHIIHHqq", b, 0)
        if kind != 2 or level != 0 or not 1 <= rows <= 4096 or not groups < columns <= 2049:
            raise Damage("%s: type %d, level %d, %d rows, %d columns, %d groups"
                         % (where, kind, level, rows, columns, groups))
        self.rows = rows
        check(tree == root.tree, "%s: tree id %d", where, tree)
        check(rows == objects, "%s: %d rows, its parent says %d", where, rows, objects)
        check(low <= self.first and self.last < high, "%s: keys %d to %d outside [%d, %d)", where,
              self.first, self.last, low, high)
        end = 64 + 40 * columns + 24 * groups
        if end > len(b):
            raise Damage("%s: its directory is longer than the extent" % where)
        self.directory = [Column(b, 64 + 40 * i) for i in range(columns)]
        self.columns = {c.field: c for c in self.directory}
        self.pointers = [Pointer(b, 64 + 40 * columns + 24 * i) for i in range(groups)]
        check(len(self.columns) == columns, "%s: a field has two columns", where)
        places = sorted((c.group, c.offset, c.offset + c.length) for c in self.directory if c.length)
        if any(a[0] == c[0] and a[2] > c[1] for a, c in zip(places, places[1:])):
            raise Damage("%s: two columns over the same bytes" % where)
        extents = sorted((q.unit, q.unit + q.units) for q in self.pointers + [p])
        if any(a[1] > c[0] for a, c in zip(extents, extents[1:])):
            raise Damage("%s: two groups over the same units" % where)
        check(self.directory[0].field == 0, "%s: first column is field %d", where,
              self.directory[0].field)
        check(p.units <= 4 or 64 + 40 * columns + 24 * groups > 3 * UNIT, "%s: %d units", where, p.units)
        self.groups = {0: b}
        self.births = {0: p.birth}
        self.cache = {}
        reader.zeros(b, 14, 16, where)
        reader.zeros(b, 32, 64, where)

    def group(self, k):
        if k not in self.groups:
            if k > len(self.pointers):
                raise Damage("%s: there is no group %d" % (self.where, k))
            p = self.pointers[k - 1]
            self.births[k] = p.birth
            self.groups[k] = None if self.reader.skips(p) else \
                self.reader.fetch(p, self.birth, (3,), self.where)
        return self.groups[k]

    def column(self, number):
        """The values of a column, None for null."""
        if number not in self.cache:
            c = self.columns[number]
            try:
                self.cache[number] = self.decode(c)
            except (struct.error, IndexError) as e:
                raise Damage("%s: field %d: %s" % (self.where, number, e))
        return self.cache[number]

    def field(self, f):
        """The values of a field of the catalog."""
        c = self.columns.get(f.id)
        if c is None:
            return [f.default] * self.rows
        if c.type != f.physical:
            raise Damage("%s: field %d is physically %d" % (self.where, f.id, c.type))
        return self.column(f.id)

    def decode(self, c, walk=False):
        reader, n = self.reader, self.rows
        where = "%s: field %d" % (self.where, c.field)
        check = reader.check
        extent = self.group(c.group)
        if c.offset % 8 or c.length % 8 or c.offset + c.length > len(extent):
            raise Damage("%s: bytes %d + %d of %d" % (where, c.offset, c.length, len(extent)))
        b = extent[c.offset:c.offset + c.length]
        types = {0: (1, 2, 3, 4, 5), 1: (P_INT,), 2: (P_INT,), 3: (P_DOUBLE, P_FLOAT),
                 4: (P_DOUBLE, P_FLOAT), 5: (P_BYTES,), 6: (P_BYTES,), 7: (P_UUID,)}
        if c.type not in types.get(c.encoding, ()):
            raise Damage("%s: encoding %d of type %d" % (where, c.encoding, c.type))
        coded = c.encoding in (1, 4, 6)
        if coded and c.width not in WIDTHS:
            raise Damage("%s: codes of %d bits" % (where, c.width))
        fixed = {0: (0,), 2: (0,), 3: (32 if c.type == P_FLOAT else 64,), 5: (16, 32), 7: (128,)}
        if not coded and c.width not in fixed[c.encoding]:
            raise Damage("%s: width %d of encoding %d" % (where, c.width, c.encoding))
        if c.flags & 0xF0 or c.encoding == 0 and c.flags or c.encoding == 1 and not c.flags & 2 \
                or c.encoding == 2 and c.flags != 2 or c.encoding != 5 and c.flags & 8:
            raise Damage("%s: flags %#x of encoding %d" % (where, c.flags, c.encoding))
        at = 0
        present = None
        if c.flags & 1:
            size = (n + 63) // 64 * 8
            present = read_codes(b, 0, n, 1)
            if any(read_codes(b, 0, 8 * size, 1)[n:]):
                raise Damage("%s: bits behind the null bitmap" % where)
            at = size
        if c.encoding == 0:
            values = [None] * n
        elif c.encoding == 1:
            codes = read_codes(b, at, n, c.width)
            at = self.filled(b, at, n, c.width, where)
            self.null_cells(codes, present, where)
            low = signed(c.low)
            if low + max(codes) < 1 << 63:
                values = [low + v for v in codes] if low else codes
            else:
                values = [signed(low + v) for v in codes]
        elif c.encoding == 2:
            low, span = signed(c.low), c.high - c.low & M64
            if n < 2 or span % (n - 1):
                raise Damage("%s: stride of %d over %d rows" % (where, span, n))
            step = span // (n - 1)
            values = [low + i * step for i in range(n)]
        elif c.encoding == 3:
            size = n * c.width // 8
            values = list(struct.unpack_from("<%d%s" % (n, "f" if c.type == P_FLOAT else "d"), b, at))
            self.null_cells(values, present, where)
            reader.zeros(b, at + size, pad8(at + size), where)
            at = pad8(at + size)
        elif c.encoding == 4:
            if c.parameter > 6 or c.type == P_FLOAT and c.parameter:
                raise Damage("%s: exponent %d" % (where, c.parameter))
            base, = struct.unpack_from("<q", b, at)
            codes = read_codes(b, at + 8, n, c.width)
            at = self.filled(b, at + 8, n, c.width, where)
            self.null_cells(codes, present, where)
            ten = 10.0 ** c.parameter
            values = [float(base + v) / ten for v in codes]
        elif c.encoding == 5:
            external = None
            if c.flags & 8:
                external = read_codes(b, at, n, 1)
                at += (n + 63) // 64 * 8
            size = (n + 1) * c.width // 8
            offsets = struct.unpack_from("<%d%s" % (n + 1, "H" if c.width == 16 else "I"), b, at)
            reader.zeros(b, at + size, pad8(at + size), where)
            at = pad8(at + size)
            values, at = self.heap(b, at, offsets, where)
            if present:
                check(all(p or not v for p, v in zip(present, values)), "%s: a null has bytes", where)
            if external:
                check(not present or all(p or not x for p, x in zip(present, external)),
                      "%s: a null lies outside", where)
                birth = self.births[c.group]
                for i, x in enumerate(external):
                    if not x:
                        continue
                    cell = values[i]
                    if len(cell) != 48:
                        raise Damage("%s: value reference of %d bytes" % (where, len(cell)))
                    p, length = Pointer(cell), _u64(cell, 24)
                    if reader.skips(p):
                        continue
                    v = reader.read_value(p, length, birth, where)
                    check(reader.walking is not None or v[:16] == cell[32:], "%s: first 16 bytes of row %d", where, i)
                    values[i] = v
            if reader.verify and reader.walking is None:
                check(all((len(v) > 1024) == bool(external and external[i]) for i, v in enumerate(values)),
                      "%s: a value of more than 1024 bytes inside, or another outside", where)
        elif c.encoding == 6:
            codes = read_codes(b, at, n, c.width)
            at = self.filled(b, at, n, c.width, where)
            self.null_cells(codes, present, where)
            d = c.parameter
            offsets = struct.unpack_from("<%dI" % (d + 1), b, at)
            reader.zeros(b, at + 4 * (d + 1), pad8(at + 4 * (d + 1)), where)
            at = pad8(at + 4 * (d + 1))
            entries, at = self.heap(b, at, offsets, where)
            check(all(x < y for x, y in zip(entries, entries[1:])), "%s: dictionary out of order", where)
            check(all(len(e) <= 1024 for e in entries), "%s: a long value in the dictionary", where)
            if max(codes) >= d:
                raise Damage("%s: code %d of %d entries" % (where, max(codes), d))
            values = list(map(entries.__getitem__, codes))
        else:
            size = 16 * n
            values = [b[i:i + 16] for i in range(at, at + size, 16)]
            self.null_cells(values, present, where, bytes(16))
            at += size
        if at != c.length:
            raise Damage("%s: %d bytes, its parts have %d" % (where, c.length, at))
        if present:
            values = [v if p else None for v, p in zip(values, present)]
            check(c.nulls == present.count(0), "%s: %d nulls, says %d", where, present.count(0), c.nulls)
        elif c.encoding != 0:
            check(c.nulls == 0, "%s: %d nulls and no bitmap", where, c.nulls)
        else:
            check(c.nulls == n, "%s: all of %d rows null, says %d", where, n, c.nulls)
        return values

    def filled(self, b, at, n, w, where):
        used = at + (n * w + 7) // 8
        end = at + codes_size(n, w)
        if end > len(b):
            raise Damage("%s: codes run out of the column" % where)
        self.reader.zeros(b, used, end, where)
        return end

    def null_cells(self, cells, present, where, zero=0):
        if present and self.reader.strict:
            self.reader.check(all(p or x == zero for p, x in zip(present, cells)),
                              "%s: the cell of a null is not 0", where)

    def heap(self, b, at, offsets, where):
        if offsets[0] != 0 or any(x > y for x, y in zip(offsets, offsets[1:])) or at + offsets[-1] > len(b):
            raise Damage("%s: offsets" % where)
        cells = [b[at + x:at + y] for x, y in zip(offsets, offsets[1:])]
        end = at + offsets[-1]
        self.reader.zeros(b, end, pad8(end), where)
        return cells, pad8(end)

    def walk(self):
        """Meets every extent of the leaf."""
        for k in range(1, len(self.pointers) + 1):
            self.group(k)
        for c in self.directory:
            if self.group(c.group) is not None and c.flags & 8:
                self.decode(c)

    def verify(self, t, expected, too_long):
        reader = self.reader
        check, where = reader.check, self.where
        self.walk_groups()
        keys = self.column(0)
        check(keys[0] == self.first and keys[-1] == self.last, "%s: keys %d to %d, says %d to %d",
              where, keys[0], keys[-1], self.first, self.last)
        check(None not in keys and all(a < b for a, b in zip(keys, keys[1:])),
              "%s: object keys do not ascend", where)
        for c in self.directory:
            f = t.field(c.field)
            values = self.column(c.field)
            if f is None:
                if c.field != 0:
                    check(c.field < t.next_field, "%s: field %d was never in the catalog", where, c.field)
            else:
                check(c.type == f.physical, "%s: field %d is physically %d", where, c.field, c.type)
                check(f.flags & F_OPTIONAL or c.nulls == 0, "%s: nulls in %s.%s", where, t.name, f.name)
                if f.type == T_BOOL:
                    check(all(v in (0, 1, None) for v in values), "%s: %s.%s is not 0 or 1", where,
                          t.name, f.name)
                if f.type in (T_STRING, T_JSON):
                    try:
                        for v in set(values):
                            if v is not None:
                                v.decode("utf-8")
                    except UnicodeDecodeError:
                        reader.finding("%s: %s.%s is not UTF-8" % (where, t.name, f.name))
                if f.type == T_LINKS:
                    check(all(len(v) % 8 == 0 for v in values), "%s: %s.%s is no list of links", where,
                          t.name, f.name)
                if f.type in HAVE_PARTS or f.type == T_DECIMAL:
                    for v in set(values):
                        if v is not None:
                            text_of(f)(v)
            self.zone(c, values)
            self.note_forms(c, f)
        if any(f.id not in self.columns and f.default is not None for f in t.fields):
            reader.forms.add("column: none, of a field with a default")
        for f in t.fields:
            if f.id in expected:
                if f.type == T_LINKS:
                    for v, key in zip(self.field(f), keys):
                        expected[f.id] += ((entry, key) for entry in link_entries(v))
                else:
                    expected[f.id] += zip(map(KEY[f.physical], self.field(f)), keys)
                    if f.physical == P_BYTES and any(v and len(v) > 1023 for v in self.field(f)):
                        too_long.add(f.id)
        for i in t.indexes:
            tested = [self.field(f) for f, _, _ in i.conditions]
            columns = [self.field(f) for f in i.fields]
            for row, k in enumerate(keys):
                if i.holds([column[row] for column in tested]):
                    values = [column[row] for column in columns]
                    i.expected.append((i.key(values), k, None in values))

    def note_forms(self, c, f):
        """Which forms a column has, which is of the field f of the catalog, or of none."""
        forms = self.reader.forms
        forms.add("column: encoding %d of %s" % (c.encoding, TYPES[c.type]))
        for flag, name in ((1, "null bitmap"), (4, "NaN"), (8, "external cells")):
            if c.flags & flag:
                forms.add("column: %s" % name)
        if c.encoding == 5:
            forms.add("column: %d-bit offsets" % c.width)
        if f is None and c.field != 0:
            forms.add("column: of no field of the catalog")

    def walk_groups(self):
        reader = self.reader
        parts = {0: [(0, 64 + 40 * len(self.directory) + 24 * len(self.pointers))]}
        for k in range(1, len(self.pointers) + 1):
            self.group(k)
            parts[k] = []
        for c in self.directory:
            if c.length:
                if c.group not in parts:
                    raise Damage("field %d is in group %d" % (c.field, c.group))
                parts[c.group].append((c.offset, c.offset + c.length))
        for k, ranges in parts.items():
            b, at = self.groups[k], 0
            reader.check(ranges, "%s: nothing in group %d", self.where, k)
            for start, end in sorted(ranges):
                reader.check(start >= at, "%s: columns overlap in group %d", self.where, k)
                reader.zeros(b, at, start, "%s: group %d", self.where, k)
                at = max(at, end)
            reader.zeros(b, at, len(b), "%s: group %d", self.where, k)

    def zone(self, c, values):
        where = "%s: field %d" % (self.where, c.field)
        check = self.reader.check
        some = [v for v in values if v is not None]
        low, high = c.low, c.high
        if c.type in (P_DOUBLE, P_FLOAT):
            numbers = [v for v in some if v == v]
            check(len(numbers) == len(some) or c.flags & 4, "%s: NaN without its flag", where)
            check(len(numbers) < len(some) or not c.flags & 4, "%s: flag of NaN without one", where)
            some = numbers
            low, high = struct.unpack("<dd", struct.pack("<QQ", low, high))
            if self.reader.strict and c.flags & 2:
                check(math.copysign(1, low) > 0 or low, "%s: minimum -0", where)
                check(math.copysign(1, high) > 0 or high, "%s: maximum -0", where)
        else:
            check(not c.flags & 4, "%s: flag of NaN", where)
            if c.type == P_INT:
                low, high = signed(low), signed(high)
            else:
                some = [int.from_bytes(v[:8].ljust(8, b"\0"), "big") for v in some]
        if c.flags & 2:
            check(bool(some), "%s: a zone map of no values", where)
            if some:
                check(min(some) == low and max(some) == high, "%s: zone map %s to %s, values %s to %s",
                      where, low, high, min(some), max(some))
        elif self.reader.strict:
            check(not some, "%s: no zone map", where)
            check(not c.low and not c.high, "%s: minimum or maximum without flag", where)


# ------------------------------------------------------------------------- key bytes (§4)

def _int_key(v):
    return b"\0" if v is None else b"\1" + (v + (1 << 63)).to_bytes(8, "big")


def _real_key(letter, size):
    top, ones = 1 << 8 * size - 1, (1 << 8 * size) - 1

    def key(v):
        if v is None:
            return b"\0"
        if v != v:
            return b"\1" + b"\xff" * size
        n = int.from_bytes(struct.pack(">" + letter, v + 0.0 if v else 0.0), "big")
        return b"\1" + (n ^ (ones if n & top else top)).to_bytes(size, "big")
    return key


def _bytes_key(v):
    return b"\0" if v is None else b"\1" + v[:1023]


KEY = {P_INT: _int_key, P_DOUBLE: _real_key("d", 8), P_FLOAT: _real_key("f", 4),
       P_BYTES: _bytes_key, P_UUID: _bytes_key}


# ----------------------------------------------------------------------------- JSON of values

def _double_text(v):
    if v - v == 0:
        return repr(v)
    return '"nan"' if v != v else '"inf"' if v > 0 else '"-inf"'


def _float_text(v):
    """The shortest decimal that is v as a 32-bit float."""
    if v - v != 0 or v == 0:
        return _double_text(v)
    raw = struct.pack("<f", v)
    small = abs(v) < 1.17549435e-38
    edge = int.from_bytes(raw, "little") & 0x7FFFFF == 0     # a power of two: nearer from below
    for digits in range(1 if small or edge else 6, 10):
        text = "%.*e" % (digits - 1, v)
        if struct.pack("<f", float(text)) == raw:
            return repr(float(text))
        if edge:
            mantissa, exponent = text.split("e")
            whole = int(mantissa.replace(".", ""))
            for near in (whole + 1, whole - 1):
                other = float("%de%d" % (near, int(exponent) - digits + 1))
                try:
                    if struct.pack("<f", other) == raw:
                        return repr(other)
                except OverflowError:
                    pass
    return repr(v)


def _string_text(v):
    try:
        return encode_basestring(v.decode("utf-8"))
    except UnicodeDecodeError:
        raise Damage("a string is not UTF-8: %r" % v)


def _data_text(v):
    return '"%s"' % base64.b64encode(v).decode("ascii")


def _uuid_text(v):
    h = v.hex().upper()
    return '"%s-%s-%s-%s-%s"' % (h[:8], h[8:12], h[12:16], h[16:20], h[20:])


def _duration_text(v):
    n = int.from_bytes(v, "big") - (1 << 127)
    whole, decimals = divmod(abs(n), 10 ** 18)
    text = ("%d.%018d" % (whole, decimals)).rstrip("0").rstrip(".")
    return '"%s%s"' % ("-" if n < 0 else "", text)


def _decimal_text(v):
    if v in (b"\4", b"\2"):
        return '"NaN"' if v == b"\4" else '"0"'
    sign, rest = v[0], v[1:]
    if sign == 1:
        if rest[-1:] != b"\xff":
            raise Damage("a negative decimal without an end: %r" % v)
        rest = bytes(255 - x for x in rest[:-1])
    elif sign != 3:
        raise Damage("a decimal that begins with %d" % sign)
    e = int.from_bytes(rest[:2], "big") - 32768
    digits = "".join("%02d" % (x - 1) for x in rest[2:])
    digits = digits[:-1] if digits.endswith("0") else digits
    if not -40 <= e <= 40:
        text = "%sE%d" % (digits, e - len(digits))
    elif e <= 0:
        text = "0." + "0" * -e + digits
    else:
        text = digits[:e].ljust(e, "0") + ("." + digits[e:] if len(digits) > e else "")
    return '"%s%s"' % ("-" if sign == 1 else "", text)


TEXT = {T_BOOL: lambda v: "true" if v else "false", T_INT: repr, T_DOUBLE: _double_text,
        T_FLOAT: _float_text, T_STRING: _string_text, T_DATA: _data_text, T_BLOB: _data_text, T_DATE: _double_text,
        T_UUID: _uuid_text, T_UINT: lambda v: repr(v + (1 << 63)), T_DURATION: _duration_text,
        T_DECIMAL: _decimal_text, T_JSON: _string_text}


def links_of(b):
    """The object keys of a list of links (§6)."""
    return [k for k, in struct.iter_unpack("<q", b)]


def link_entries(b):
    """The key bytes of the entries that an index has of a list of links (§4)."""
    seen = collections.Counter()
    for k in links_of(b):
        yield KEY[P_INT](k) + (struct.pack(">Q", seen[k]) if seen[k] else b"")
        seen[k] += 1


def text_of(f):
    """How the values of a field are written."""
    if f.type == T_COMPOUND:
        return lambda v: _compound_text(f, v)
    if f.type not in COLLECTIONS:
        return TEXT[f.type]
    return lambda v: _collection_text(f, v)


def _compound_text(f, b):
    """A compound value as JSON (§6, §11)."""
    at = 0

    def take(n):
        nonlocal at
        if at + n > len(b):
            raise Damage("a value of %s ends early" % f.name)
        at += n
        return b[at - n:at]

    def number(n):
        return int.from_bytes(take(n), "big")

    texts = []
    for part in f.parts:
        text = "null"
        tag = take(1)[0] if part.flags & F_OPTIONAL else 1
        if tag > 1:
            raise Damage("a part of %s begins with %d" % (f.name, tag))
        if tag == 1 and part.physical == P_INT:
            text = text_of(part)(number(8) - (1 << 63))
        elif tag == 1 and part.physical in (P_DOUBLE, P_FLOAT):
            n, form = (8, ">d") if part.physical == P_DOUBLE else (4, ">f")
            top, bits = 1 << 8 * n - 1, number(n)
            bits = bits ^ top if bits & top else bits ^ (2 * top - 1)
            text = text_of(part)(struct.unpack(form, bits.to_bytes(n, "big"))[0])
        elif tag == 1 and part.physical == P_UUID:
            text = text_of(part)(take(16))
        elif tag == 1:
            value = bytearray()
            while True:
                byte = take(1)[0]
                if byte == 0:
                    mark = take(1)[0]
                    if mark == 1:
                        break
                    if mark != 255:
                        raise Damage("a zero of %s is followed by %d" % (f.name, mark))
                value.append(byte)
            text = text_of(part)(bytes(value))
        texts.append("%s:%s" % (encode_basestring(part.name), text))
    if at != len(b):
        raise Damage("a value of %s has %d bytes left over" % (f.name, len(b) - at))
    return "{%s}" % ",".join(texts)


def _collection_text(f, b):
    """A collection as JSON (§6, §11)."""
    at = 0

    def take(n):
        nonlocal at
        if at + n > len(b):
            raise Damage("a collection of %s ends early" % f.name)
        at += n
        return b[at - n:at]

    def varint():
        n = shift = 0
        while True:
            byte = take(1)[0]
            n |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return n

    count = varint()
    columns = []
    for part in f.parts:
        nulls = take((count + 7) // 8) if part.flags & F_OPTIONAL else b""
        if part.physical == P_INT:
            w = take(1)[0]
            values = [int.from_bytes(take(w), "little", signed=True) for _ in range(count)]
        elif part.physical in (P_DOUBLE, P_FLOAT):
            n, form = (8, "<d") if part.physical == P_DOUBLE else (4, "<f")
            values = [struct.unpack(form, take(n))[0] for _ in range(count)]
        elif part.physical == P_UUID:
            values = [take(16) for _ in range(count)]
        else:
            values = [take(n) for n in [varint() for _ in range(count)]]
        text = text_of(part)
        columns.append([
            "null" if nulls and nulls[i >> 3] >> (i & 7) & 1 else text(v) for i, v in enumerate(values)])
    if at != len(b):
        raise Damage("a collection of %s has %d bytes left over" % (f.name, len(b) - at))

    def element(parts, columns, i):
        if "." not in parts[0].name:
            if len(parts) == 1:
                return columns[0][i]
            if columns[0][i] != "true":
                return "null"
            parts, columns = parts[1:], columns[1:]
        return "{%s}" % ",".join(
            "%s:%s" % (encode_basestring(p.name.split(".", 1)[1]), c[i]) for p, c in zip(parts, columns))

    if f.type == T_DICTIONARY:
        return "[%s]" % ",".join(
            "[%s,%s]" % (columns[0][i], element(f.parts[1:], columns[1:], i)) for i in range(count))
    return "[%s]" % ",".join(element(f.parts, columns, i) for i in range(count))


def missing_forms(paths):
    """Prints which of FORMS none of the files has."""
    found = set()
    for path in paths:
        reader = Reader(path, verify=True, strict=True)
        reader.run_verify()
        if reader.findings:
            print("%s: %s" % (path, reader.findings[0]))
            return 1
        found |= reader.forms
    missing = [f for f in FORMS if f not in found]
    for form in missing:
        print("no file has: %s" % form)
    return 1 if missing else 0


def main(args):
    mode = args[0] if args and args[0].startswith("--") else ""
    if mode == "--forms" and len(args) > 1:
        return missing_forms(args[1:])
    if mode not in ("", "--verify", "--strict") or len(args) != (2 if mode else 1):
        sys.stderr.write(__doc__)
        return 2
    verify = mode != ""
    try:
        reader = Reader(args[-1], verify, mode == "--strict")
        if not verify:
            reader.dump(sys.stdout.buffer)
            sys.stdout.buffer.flush()
            return 0
        reader.run_verify()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    except (Damage, OSError) as e:
        (print if verify else lambda t: sys.stderr.write(t + "\n"))("damaged: %s" % e)
        return 1
    for text in reader.findings:
        print(text)
    s = reader.slot
    print("version %d (confirmed %d), slot block %d, %d units, %d free: %s" % (
        s.transaction, reader.confirmed, s.block, s.high, s.free,
        "%d findings" % len(reader.findings) if reader.findings else "ok"))
    return 1 if reader.findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
