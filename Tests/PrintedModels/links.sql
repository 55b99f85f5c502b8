-- Foreign keys: to each other, to the same table, through tables between, with rules.
CREATE TABLE person (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, boss_id INTEGER REFERENCES person ON DELETE SET NULL,
  house INTEGER REFERENCES house(id) ON DELETE CASCADE, passport TEXT UNIQUE REFERENCES passport(code));
CREATE TABLE house (id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES person(id), street TEXT, number INTEGER,
  UNIQUE (street, number));
CREATE TABLE passport (code TEXT PRIMARY KEY NOT NULL, country TEXT);
CREATE TABLE tag (name TEXT PRIMARY KEY NOT NULL);
CREATE TABLE person_tag (
  person INTEGER NOT NULL REFERENCES person(id), tag TEXT NOT NULL REFERENCES tag(name), PRIMARY KEY (person, tag));
CREATE TABLE friend (
  one INTEGER NOT NULL REFERENCES person(id), other INTEGER NOT NULL REFERENCES person(id), PRIMARY KEY (one, other));
CREATE TABLE visit (
  person INTEGER NOT NULL REFERENCES person(id) ON DELETE CASCADE, house INTEGER NOT NULL REFERENCES house(id), day DATE,
  PRIMARY KEY (person, house));
CREATE TABLE message (
  id INTEGER PRIMARY KEY, sender_id INTEGER NOT NULL REFERENCES person(id), receiver_id INTEGER REFERENCES person(id),
  visit_person INTEGER, visit_house INTEGER, text TEXT, FOREIGN KEY (visit_person, visit_house) REFERENCES visit(person, house));
CREATE INDEX by_sender ON message(sender_id, receiver_id);
CREATE INDEX by_text ON message(text, sender_id, id);
INSERT INTO passport VALUES ('x', 'NL'), ('y', NULL);
INSERT INTO person VALUES (1, 'Ann', 2, 1, 'x'), (2, 'Bob', NULL, NULL, 'y'), (3, 'Cy', 3, 2, NULL);
INSERT INTO house VALUES (1, 1, 'Dam', 1), (2, NULL, 'Dam', 2);
INSERT INTO tag VALUES ('new'), ('old');
INSERT INTO person_tag VALUES (1, 'old'), (1, 'new'), (3, 'new');
INSERT INTO friend VALUES (1, 2), (2, 1), (3, 3);
INSERT INTO visit VALUES (1, 2, '2026-01-02'), (2, 1, NULL);
INSERT INTO message VALUES (1, 1, 2, 1, 2, 'hi'), (2, 2, NULL, NULL, NULL, NULL), (3, 2, 2, NULL, NULL, 'hi');
