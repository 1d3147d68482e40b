-- A store as version 2 of the schema wrote it.
CREATE TABLE chunks (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    chunk INTEGER NOT NULL,
    puzzles INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    seconds REAL NOT NULL,
    unsure INTEGER NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (run, chunk)
) STRICT, WITHOUT ROWID;
INSERT INTO "chunks" VALUES(1,0,2,3,0.5,1,'fc97b892cae88d70c8a541127d894160');
INSERT INTO "chunks" VALUES(1,1,1,0,0.0,1,'cf4dd5ef30f2c9f682780bd82592de17');
INSERT INTO "chunks" VALUES(1,2,1,0,0.0,1,'ca9ee28b9374873f5666359875fe0fe6');
INSERT INTO "chunks" VALUES(1,3,1,0,0.0,1,'191f105e69610883555485c5c6ccb3d2');
CREATE TABLE plays (
    run INTEGER NOT NULL,
    chunk INTEGER NOT NULL,
    puzzle INTEGER NOT NULL,
    answers TEXT NOT NULL,
    guesses TEXT NOT NULL,
    feedback TEXT NOT NULL,
    outcome TEXT NOT NULL,
    turns INTEGER,
    message TEXT NOT NULL,
    PRIMARY KEY (run, puzzle),
    FOREIGN KEY (run, chunk) REFERENCES chunks ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO "plays" VALUES(1,0,0,'abc','aaa
abc','200
222','solved',2,'');
INSERT INTO "plays" VALUES(1,0,1,'abb','aaa','200','timed out',NULL,'took more than 10 s for guess 2');
INSERT INTO "plays" VALUES(1,1,2,'aba','','','timed out',NULL,'not played: its 300 s are spent');
INSERT INTO "plays" VALUES(1,2,3,'bab','','','crashed',NULL,'its process ended 4 times in this group of puzzles and was not started again');
INSERT INTO "plays" VALUES(1,3,4,'bba','','','timed out',NULL,'not played: its 300 s are spent');
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    facts TEXT NOT NULL,
    digest TEXT NOT NULL
) STRICT;
INSERT INTO "runs" VALUES(1,'key','{"game": "letters", "fingerprint": "0f", "boards": 1, "max_guesses": 6, "cap": 30, "hard_mode": false, "puzzles": "all 5 answers", "puzzles_fingerprint": "aa", "n_puzzles": 5, "is_sample": false, "seed": 0, "strategy": "slow", "version": "1", "plugin": "mine", "stochastic": false, "parameters": {}, "versions": {"wordle-kit": "0.1.0"}, "secret": null, "is_all": true, "host": "hidden words"}','eb54a1141603e2869324c259c290e4f7');
PRAGMA application_id = 0x574B4954;
PRAGMA user_version = 2;
