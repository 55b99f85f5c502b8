-- Keys of one and several columns, and indexes of them.
CREATE TABLE rowid_only (name TEXT, size INTEGER);
CREATE TABLE by_text (code TEXT PRIMARY KEY NOT NULL, name TEXT) WITHOUT ROWID;
CREATE TABLE by_uuid (uuid UUID PRIMARY KEY NOT NULL, name TEXT);
CREATE TABLE by_integer (number INT PRIMARY KEY, name TEXT, size INTEGER, UNIQUE (size, number));
CREATE TABLE by_blob (hash BLOB PRIMARY KEY NOT NULL, size INTEGER);
CREATE TABLE by_two (shelf INTEGER, board TEXT, book TEXT, PRIMARY KEY (shelf, board)) WITHOUT ROWID;
CREATE TABLE by_three (a TEXT, b INTEGER, c REAL, d TEXT, e INTEGER, PRIMARY KEY (a, b, c), UNIQUE (d, e));
CREATE TABLE by_real (ratio REAL PRIMARY KEY, name TEXT);
CREATE TABLE indexed (id INTEGER PRIMARY KEY, a TEXT, b INTEGER, c REAL, d BLOB, e DATETIME, f BOOLEAN, mixed);
CREATE INDEX of_one ON indexed(a);
CREATE UNIQUE INDEX of_one_unique ON indexed(b);
CREATE INDEX of_three ON indexed(c, d, e);
CREATE UNIQUE INDEX of_two ON indexed(e, f);
CREATE INDEX of_two_again ON indexed(e, f);
CREATE INDEX with_key ON indexed(a, id);
CREATE INDEX of_two_with_key ON indexed(a, c, id, b);
CREATE INDEX twice ON indexed(d, d, a);
CREATE INDEX descending ON indexed(f DESC, a COLLATE NOCASE);
CREATE INDEX of_some ON indexed(a) WHERE b > 1;
CREATE INDEX of_expression ON indexed(lower(a));
CREATE INDEX of_mixed ON indexed(mixed, a);
CREATE INDEX of_key ON by_text(code, name);
CREATE INDEX of_integer_key ON by_integer(name, number, size);
INSERT INTO rowid_only VALUES ('a', 1), ('b', NULL);
INSERT INTO by_text VALUES ('x', 'a'), ('y', NULL);
INSERT INTO by_uuid VALUES (x'000102030405060708090a0b0c0d0e0f', 'a');
INSERT INTO by_integer VALUES (3, 'a', 4), (5, NULL, 4);
INSERT INTO by_blob VALUES (x'00ff', 1), (x'', 2);
INSERT INTO by_two VALUES (1, 'top', 'a'), (1, 'low', NULL);
INSERT INTO by_three VALUES ('a', 1, 0.5, 'd', 5), ('a', 2, 0.5, NULL, 5), ('b', 2, 1.5, NULL, 5);
INSERT INTO by_real VALUES (0.5, 'a');
INSERT INTO indexed VALUES
  (1, 'a', 1, 0.5, x'01', '2026-05-06 07:08:09', 1, 1), (2, 'b', 2, NULL, NULL, '2026-05-06 07:08:09', 0, 'x'),
  (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (4, NULL, NULL, NULL, NULL, NULL, NULL, x'ff');
