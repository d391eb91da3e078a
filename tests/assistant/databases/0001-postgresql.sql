CREATE TABLE alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE events (
    table_id integer NOT NULL,
    line integer NOT NULL,
    event json NOT NULL,
    event_id character varying(64) NOT NULL,
    added timestamp without time zone NOT NULL
);
CREATE TABLE tables (
    id integer NOT NULL,
    public_id character varying(16) NOT NULL,
    players json NOT NULL,
    rules character varying(32) NOT NULL,
    options json NOT NULL,
    first_dealer integer NOT NULL,
    created timestamp without time zone NOT NULL,
    pin_salt bytea NOT NULL,
    pin_hash bytea NOT NULL,
    rematch_of integer
);
CREATE SEQUENCE tables_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE tables_id_seq OWNED BY tables.id;
ALTER TABLE ONLY tables ALTER COLUMN id SET DEFAULT nextval('tables_id_seq'::regclass);
INSERT INTO alembic_version VALUES ('0001');
INSERT INTO events VALUES (1, 2, '{"event": "indicator_shown", "by": 0, "deal": 1}', 'tap 0', '2026-11-21 15:32:25.174639');
INSERT INTO events VALUES (1, 3, '{"event": "win", "by": 1, "hand": "pairs", "okey_last": false, "colour": null, "deal": 1}', 'tap 1', '2026-11-21 15:32:25.238313');
INSERT INTO events VALUES (1, 4, '{"event": "correct", "line": 3, "with": {"event": "win", "by": 2, "hand": "melds", "okey_last": false, "colour": null}}', 'tap 2', '2026-11-21 15:32:25.290705');
INSERT INTO events VALUES (1, 5, '{"event": "exhausted"}', 'tap 3', '2026-11-21 15:32:25.324382');
INSERT INTO events VALUES (1, 6, '{"event": "undo"}', 'tap 4', '2026-11-21 15:32:25.381614');
INSERT INTO events VALUES (1, 7, '{"event": "win", "by": 3, "hand": "run", "okey_last": false, "colour": null}', 'tap 5', '2026-11-21 15:32:25.425114');
INSERT INTO tables VALUES (1, 'firstgame1', '["Ay\u015fe", "Burak", "Cem", "Deniz"]', 'favorite', '{"start": 30}', 2, '2026-11-21 15:32:24.621277', '\x5e105b4760f7c3987628033b1f2d7fe1', '\xf710cd626753b6ddc6bdffa0b253bde23c90adb2ec7b83cf4d97a2244d1f87fe7bb704e0ad89a440350273166c621260528b242381cc922465e4c9cf4bb98f6e', NULL);
INSERT INTO tables VALUES (2, 'rematch111', '["Ay\u015fe", "Burak", "Cem", "Deniz"]', 'favorite', '{"start": 30}', 0, '2026-11-21 15:32:25.459148', '\x50767b595f752872fff7e5eccc79fe30', '\x679d44bd11776d950093ed02ff0a9538253ccc37b1d1a5835bddcc185d4d0bfa55fcc7c9598b4df7bf2c569e046b4104abf4f6fd49206c5aa0b509629fdafc3c', 1);
SELECT pg_catalog.setval('tables_id_seq', 2, true);
ALTER TABLE ONLY alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY events
    ADD CONSTRAINT events_pkey PRIMARY KEY (table_id, line);
ALTER TABLE ONLY events
    ADD CONSTRAINT events_table_id_event_id_key UNIQUE (table_id, event_id);
ALTER TABLE ONLY tables
    ADD CONSTRAINT tables_pkey PRIMARY KEY (id);
ALTER TABLE ONLY tables
    ADD CONSTRAINT tables_public_id_key UNIQUE (public_id);
ALTER TABLE ONLY tables
    ADD CONSTRAINT tables_rematch_of_key UNIQUE (rematch_of);
ALTER TABLE ONLY events
    ADD CONSTRAINT events_table_id_fkey FOREIGN KEY (table_id) REFERENCES tables(id);
ALTER TABLE ONLY tables
    ADD CONSTRAINT tables_rematch_of_fkey FOREIGN KEY (rematch_of) REFERENCES tables(id);
