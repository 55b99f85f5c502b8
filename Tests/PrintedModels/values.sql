-- Values of every type, and columns with several.
CREATE TABLE kinds (
  id INTEGER PRIMARY KEY, i INTEGER NOT NULL, r REAL NOT NULL, t TEXT NOT NULL, b BLOB NOT NULL, flag BOOLEAN NOT NULL,
  day DATE, at DATETIME, uuid UUID, json JSON, number NUMERIC, untyped,
  doubled INTEGER GENERATED ALWAYS AS (i * 2) STORED, upper TEXT AS (upper(t)) VIRTUAL);
CREATE TABLE odd (id INTEGER PRIMARY KEY, whole_reals REAL, big_and_real NUMERIC, flags BOOLEAN, dates DATETIME, texts TEXT);
CREATE TABLE empty (id INTEGER PRIMARY KEY, i INT, r DOUBLE, t VARCHAR(10), b BLOB, flag BOOL, at TIMESTAMP, x);
CREATE VIEW some AS SELECT id, t FROM kinds;
CREATE TRIGGER touch AFTER UPDATE ON kinds BEGIN UPDATE kinds SET t = 'x'; END;
CREATE VIRTUAL TABLE words USING fts5(body);
INSERT INTO words VALUES ('some words');
INSERT INTO kinds (id, i, r, t, b, flag, day, at, uuid, json, number, untyped) VALUES
  (1, 9223372036854775807, 1e308, 'é 😀', x'00ff', 1, '2026-02-03', '2026-02-03 04:05:06.789',
    x'000102030405060708090a0b0c0d0e0f', '{"a": [1, null]}', 12.5, 'text'),
  (2, -9223372036854775808, -0.0, '', x'', 0, NULL, NULL, NULL, NULL, 3, NULL),
  (3, 0, 5e-324, 'a' || char(0) || 'b', x'01', 1, '1969-12-31', '0001-01-01 00:00:00', NULL, 'null', NULL, 1);
INSERT INTO odd VALUES (1, 3, 9007199254740993, 2, 1700000000, CAST(x'ff' AS TEXT)), (2, 4.5, 0.5, 0, '2026-01-02', 'text'),
  (3, NULL, NULL, NULL, NULL, NULL);
