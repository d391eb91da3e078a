BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE events (
	table_id INTEGER NOT NULL, 
	line INTEGER NOT NULL, 
	event JSON NOT NULL, 
	event_id VARCHAR(64) NOT NULL, 
	added DATETIME NOT NULL, 
	PRIMARY KEY (table_id, line), 
	UNIQUE (table_id, event_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "events" VALUES(1,2,'{"event": "indicator_shown", "by": 0, "deal": 1}','tap 0','2026-11-21 15:28:17.365170');
INSERT INTO "events" VALUES(1,3,'{"event": "win", "by": 1, "hand": "pairs", "okey_last": false, "colour": null, "deal": 1}','tap 1','2026-11-21 15:28:17.396071');
INSERT INTO "events" VALUES(1,4,'{"event": "correct", "line": 3, "with": {"event": "win", "by": 2, "hand": "melds", "okey_last": false, "colour": null}}','tap 2','2026-11-21 15:28:17.419951');
INSERT INTO "events" VALUES(1,5,'{"event": "exhausted"}','tap 3','2026-11-21 15:28:17.440222');
INSERT INTO "events" VALUES(1,6,'{"event": "undo"}','tap 4','2026-11-21 15:28:17.491299');
INSERT INTO "events" VALUES(1,7,'{"event": "win", "by": 3, "hand": "run", "okey_last": false, "colour": null}','tap 5','2026-11-21 15:28:17.538940');
CREATE TABLE tables (
	id INTEGER NOT NULL, 
	public_id VARCHAR(16) NOT NULL, 
	players JSON NOT NULL, 
	rules VARCHAR(32) NOT NULL, 
	options JSON NOT NULL, 
	first_dealer INTEGER NOT NULL, 
	created DATETIME NOT NULL, 
	pin_salt BLOB NOT NULL, 
	pin_hash BLOB NOT NULL, 
	rematch_of INTEGER, 
	PRIMARY KEY (id), 
	UNIQUE (public_id), 
	UNIQUE (rematch_of), 
	FOREIGN KEY(rematch_of) REFERENCES tables (id)
);
INSERT INTO "tables" VALUES(1,'firstgame1','["Ay\u015fe", "Burak", "Cem", "Deniz"]','favorite','{"start": 30}',2,'2026-11-21 15:28:16.957656',X'C3D2CFFBEAC8EDF9D67178E4C0D497EC',X'D25DE242A4E1FEBE7C3D08214428CEB0F641003ED7A13531EBC2FEE06DE0A430391555001E9B533E1A4EE4809705D8787E08753503CE0B581798FBB139B4F766',NULL);
INSERT INTO "tables" VALUES(2,'rematch111','["Ay\u015fe", "Burak", "Cem", "Deniz"]','favorite','{"start": 30}',0,'2026-11-21 15:28:17.553684',X'17F570C720D4105A0157495DE137C574',X'4379DC9B0085B28F72EDEA80A41CD91B9A8CC697FDE48C41C4B37917912AA5E4EB72CB3E19471ACED43FB97059E46FA1363A88D9EB92713C6BC008C4DD350A89',1);
COMMIT;
