//! The store: matches that have ended, in a database file that outlasts kills and that several processes can use at the same time.

use crate::Played;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use ludens_serve::Record;
use ludens_serve::record::MAX_BYTES;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Written into the file, so that others are not taken for it: `Lud8` as a number.
const APPLICATION: i64 = 0x4c75_6438;

/// The form of the tables.
const VERSION: i64 = 1;

/// How long another process may keep the file to itself.
const PATIENCE: Duration = Duration::from_secs(60);

/// A match that somebody plays is left to it for so long, unless it says again that it does.
const LEASE: Duration = Duration::from_secs(5);

const TABLES: &str = "
    CREATE TABLE sheets (sha256 TEXT PRIMARY KEY, sheet TEXT NOT NULL) STRICT;
    CREATE TABLE matches (
        id TEXT NOT NULL, attempt INTEGER NOT NULL, game TEXT NOT NULL, first TEXT NOT NULL, second TEXT NOT NULL,
        played TEXT NOT NULL, record BLOB NOT NULL, PRIMARY KEY (id, attempt)) STRICT;
    CREATE TABLE claims (id TEXT PRIMARY KEY, owner TEXT NOT NULL, until INTEGER NOT NULL) STRICT;";

/// A file of matches, or the same in memory.
pub struct Store {
    connection: Connection,
    path: PathBuf,
    owner: String,
}

/// Why the store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database, or the file system, says no.
    #[error("cannot use the store `{}`: {source}", path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: rusqlite::Error,
    },
    /// The file is something else.
    #[error("`{}` is not a store of matches: {reason}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// A match in it cannot be read.
    #[error("the match {id} in the store `{}` cannot be read: {reason}", path.display())]
    Match {
        /// The file.
        path: PathBuf,
        /// Which match.
        id: String,
        /// Why not.
        reason: String,
    },
}

impl Store {
    /// Opens a file, or begins one.
    ///
    /// # Errors
    /// If it cannot be written, or is something else.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        Store::with(Connection::open(path), path)
    }

    /// One that ends with this process.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn in_memory() -> Result<Store, StoreError> {
        Store::with(Connection::open_in_memory(), Path::new(":memory:"))
    }

    /// Opens a file that must be there, to read it.
    ///
    /// # Errors
    /// If it is not there, or is something else.
    pub fn read(path: &Path) -> Result<Store, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Store::with(Connection::open_with_flags(path, flags), path)
    }

    fn with(connection: Result<Connection, rusqlite::Error>, path: &Path) -> Result<Store, StoreError> {
        let trouble = |source: rusqlite::Error| match source.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => {
                StoreError::Foreign { path: path.to_owned(), reason: "it is not an SQLite file".to_owned() }
            }
            _ => StoreError::Sqlite { path: path.to_owned(), source },
        };
        let connection = connection.map_err(trouble)?;
        connection.busy_timeout(PATIENCE).map_err(trouble)?;
        let owner = format!("{}.{}", std::process::id(), now().as_nanos());
        let mut store = Store { connection, path: path.to_owned(), owner };
        let begun = Instant::now();
        let prepared = loop {
            match store.prepare() {
                // A change of the mode does not wait for others by itself.
                Err(error) if is_busy(&error) && begun.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(5)),
                prepared => break prepared,
            }
        };
        if let Some(reason) = prepared.map_err(trouble)? {
            return Err(StoreError::Foreign { path: path.to_owned(), reason });
        }
        Ok(store)
    }

    /// Makes the tables where there are none; says what else the file is. What is not ours is not touched.
    fn prepare(&mut self) -> rusqlite::Result<Option<String>> {
        // A file from a stranger may have functions and views of its own.
        self.connection.pragma_update(None, "trusted_schema", "OFF")?;
        // One look: another process may be making the tables just now.
        let look = self.connection.transaction()?;
        let kind_now = kind(&look)?;
        look.finish()?;
        let is_new = match kind_now {
            Kind::Other(reason) => return Ok(Some(reason)),
            Kind::Ours => false,
            Kind::Empty => true,
        };
        if self.connection.is_readonly(rusqlite::MAIN_DB)? {
            return Ok(is_new.then(|| "it is empty".to_owned()));
        }
        // In this mode whole transactions outlast a kill at any moment, and who reads does not wait for who writes.
        self.connection.pragma_update(None, "journal_mode", "WAL")?;
        self.connection.pragma_update(None, "synchronous", "NORMAL")?;
        if is_new {
            let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            // Another process may have been faster.
            if matches!(kind(&transaction)?, Kind::Empty) {
                transaction.execute_batch(TABLES)?;
                transaction.pragma_update(None, "application_id", APPLICATION)?;
                transaction.pragma_update(None, "user_version", VERSION)?;
            }
            transaction.commit()?;
        }
        Ok(None)
    }

    /// Leaves a match to others that could not be played.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn give_up(&self, id: &str) -> Result<(), StoreError> {
        let given = self.connection.execute("DELETE FROM claims WHERE id = ? AND owner = ?", [id, &self.owner]);
        given.map(drop).map_err(|source| self.trouble(source))
    }

    fn trouble(&self, source: rusqlite::Error) -> StoreError {
        StoreError::Sqlite { path: self.path.clone(), source }
    }

    fn bad(&self, id: &str, reason: &dyn std::fmt::Display) -> StoreError {
        StoreError::Match { path: self.path.clone(), id: id.to_owned(), reason: reason.to_string() }
    }

    /// All attempts at the match with this id, in their order.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn get(&self, id: &str) -> Result<Vec<Played>, StoreError> {
        let texts = || -> rusqlite::Result<Vec<String>> {
            let mut query = self.connection.prepare_cached("SELECT played FROM matches WHERE id = ? ORDER BY attempt")?;
            query.query_map([id], |row| row.get(0))?.collect()
        };
        texts().map_err(|source| self.trouble(source))?.iter().map(|text| self.played(id, text)).collect()
    }

    fn played(&self, id: &str, text: &str) -> Result<Played, StoreError> {
        let played: Played = serde_json::from_str(text).map_err(|error| self.bad(id, &error))?;
        if played.is_sound() { Ok(played) } else { Err(self.bad(id, &"roles and points do not fit together")) }
    }

    /// Adds a match with its record. What is there already stays as it is: two processes may have played the same match.
    ///
    /// # Errors
    /// If it cannot be written; the store is as before then.
    pub fn add(&mut self, played: &Played, record: &Record) -> Result<(), StoreError> {
        let text = serde_json::to_string(played).map_err(|error| self.bad(&played.id, &error))?;
        let (sheet, rest) = apart(record);
        let packed = pack(&rest).map_err(|error| self.bad(&played.id, &error))?;
        let owner = self.owner.clone();
        let add = |connection: &mut Connection| -> rusqlite::Result<()> {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            if let Some(sheet) = &sheet {
                transaction.prepare_cached("INSERT OR IGNORE INTO sheets VALUES (?, ?)")?.execute([&record.sha256, sheet])?;
            }
            let [first, second] = &played.players;
            transaction.prepare_cached("INSERT OR IGNORE INTO matches VALUES (?, ?, ?, ?, ?, ?, ?)")?.execute(params![
                played.id,
                played.attempt,
                played.game,
                first,
                second,
                text,
                packed
            ])?;
            transaction.prepare_cached("DELETE FROM claims WHERE id = ? AND owner = ?")?.execute([&played.id, &owner])?;
            transaction.commit()
        };
        add(&mut self.connection).map_err(|source| self.trouble(source))
    }

    /// Takes a match on, so that no other process plays it at the same time; whether nobody else has.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn claim(&self, id: &str) -> Result<bool, StoreError> {
        let now = now().as_millis() as i64;
        let claimed = self.connection.execute(
            "INSERT INTO claims VALUES (?1, ?2, ?3) ON CONFLICT (id) DO UPDATE SET owner = ?2, until = ?3 WHERE until < ?4 OR owner = ?2",
            params![id, self.owner, now + LEASE.as_millis() as i64, now],
        );
        claimed.map(|rows| rows > 0).map_err(|source| self.trouble(source))
    }

    /// Says that everything that was taken on is still being played. To be called every second or so.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn renew(&self) -> Result<(), StoreError> {
        let until = (now() + LEASE).as_millis() as i64;
        let renewed = self.connection.execute("UPDATE claims SET until = ? WHERE owner = ?", params![until, self.owner]);
        renewed.map(drop).map_err(|source| self.trouble(source))
    }

    /// Leaves to others what was taken on.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn release(&self) -> Result<(), StoreError> {
        let released = self.connection.execute("DELETE FROM claims WHERE owner = ?", [&self.owner]);
        released.map(drop).map_err(|source| self.trouble(source))
    }

    /// All matches, in the order in which they were added.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn all(&self) -> Result<Vec<Played>, StoreError> {
        let texts = || -> rusqlite::Result<Vec<(String, String)>> {
            let mut query = self.connection.prepare("SELECT id, played FROM matches ORDER BY rowid")?;
            query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        };
        texts().map_err(|source| self.trouble(source))?.iter().map(|(id, text)| self.played(id, text)).collect()
    }

    /// The record of the last attempt at a match; `None` where there is no such match.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn record(&self, id: &str) -> Result<Option<Record>, StoreError> {
        let query = "SELECT record FROM matches WHERE id = ? ORDER BY attempt DESC LIMIT 1";
        let packed = self.connection.query_row(query, [id], |row| row.get::<_, Vec<u8>>(0)).optional();
        let Some(packed) = packed.map_err(|source| self.trouble(source))? else { return Ok(None) };
        let mut record = unpack(&packed).map_err(|error| self.bad(id, &error))?;
        let query = "SELECT sheet FROM sheets WHERE sha256 = ?";
        let sheet = self.connection.query_row(query, [&record.sha256], |row| row.get(0)).optional();
        record.sheet = sheet.map_err(|source| self.trouble(source))?;
        Ok(Some(record))
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

/// What a file is.
enum Kind {
    Ours,
    Empty,
    /// And why.
    Other(String),
}

/// To be asked within a transaction, or it may see half of what another process does.
fn kind(connection: &Transaction<'_>) -> rusqlite::Result<Kind> {
    let number = |pragma: &str| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    let (application, version) = (number("application_id")?, number("user_version")?);
    let count = |condition: &str| {
        connection.query_row(&format!("SELECT count(*) FROM sqlite_schema WHERE {condition}"), [], |row| row.get::<_, i64>(0))
    };
    Ok(match (application, version) {
        (APPLICATION, VERSION) => match (count("type = 'table'")?, count("type IN ('view', 'trigger')")?) {
            (3.., 0) => Kind::Ours,
            _ => Kind::Other("its tables are not those of a store".to_owned()),
        },
        (APPLICATION, other) => Kind::Other(format!("it is of form {other}, and this program reads form {VERSION}")),
        (0, 0) if count("true")? == 0 => Kind::Empty,
        _ => Kind::Other("another program made it".to_owned()),
    })
}

/// Time since 1970: processes that share a store share it.
fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// The sheet, which many matches share, and a record without it.
fn apart(record: &Record) -> (Option<String>, Record) {
    let mut rest = record.clone();
    (rest.sheet.take(), rest)
}

/// Records repeat themselves: packed, they have a tenth of their size.
fn pack(record: &Record) -> io::Result<Vec<u8>> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::default());
    serde_json::to_writer(&mut packer, record)?;
    packer.flush()?;
    packer.finish()
}

fn unpack(packed: &[u8]) -> io::Result<Record> {
    let mut bytes = Vec::new();
    // A store may come from a stranger, and little can be unpacked to very much.
    ZlibDecoder::new(packed).take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(serde_json::from_slice(&bytes)?)
}

#[cfg(test)]
mod tests {
    use super::{Store, StoreError};
    use crate::Played;
    use ludens_serve::Record;
    use std::fs;
    use std::path::PathBuf;

    /// A file of its own, gone in the end.
    struct File(PathBuf);

    impl File {
        fn new(name: &str) -> File {
            let path = std::env::temp_dir().join(format!("ludens-store-{name}-{}.sqlite", std::process::id()));
            let file = File(path);
            file.remove();
            file
        }

        fn remove(&self) {
            for end in ["", "-wal", "-shm"] {
                let mut path = self.0.as_os_str().to_owned();
                path.push(end);
                let _ = fs::remove_file(path);
            }
        }
    }

    impl Drop for File {
        fn drop(&mut self) {
            self.remove();
        }
    }

    fn played(id: &str, attempt: u32) -> Played {
        Played { id: id.to_owned(), attempt, game: "g".to_owned(), seats: vec![0, 1], points: vec![100, 0], ..Played::default() }
    }

    fn record() -> Record {
        let text = r#"{"matchId": "m", "isCompleted": true, "states": ["( )"], "moves": [], "stateTimes": [0], "x-sha256": "ab", "x-sheet": "(role a)"}"#;
        Record::parse(text).expect("a record")
    }

    #[test]
    fn what_is_added_is_found_again_once() {
        let file = File::new("again");
        let mut store = Store::open(&file.0).unwrap();
        assert!(store.get("x").unwrap().is_empty());
        store.add(&played("x", 1), &record()).unwrap();
        store.add(&played("x", 0), &record()).unwrap();
        // What another process found meanwhile does not take the place of the first.
        store.add(&Played { points: vec![0, 100], ..played("x", 0) }, &record()).unwrap();
        drop(store);
        let store = Store::read(&file.0).unwrap();
        assert_eq!(store.get("x").unwrap(), [played("x", 0), played("x", 1)]);
        assert_eq!(store.all().unwrap().len(), 2);
        assert_eq!(store.record("x").unwrap(), Some(record()), "with its sheet");
        assert_eq!(store.record("y").unwrap(), None);
    }

    #[test]
    fn a_match_is_played_by_one_process_at_a_time() {
        let file = File::new("claims");
        let (mut one, other) = (Store::open(&file.0).unwrap(), Store::open(&file.0).unwrap());
        assert!(one.claim("x").unwrap() && one.claim("x").unwrap());
        assert!(!other.claim("x").unwrap() && other.claim("y").unwrap());
        one.renew().unwrap();
        // What is added need not be claimed any more; what is given up neither.
        one.add(&played("x", 0), &record()).unwrap();
        assert!(other.claim("x").unwrap());
        other.release().unwrap();
        assert!(one.claim("x").unwrap() && one.claim("y").unwrap());
        // Who was killed does not hold a match for ever.
        one.connection.execute("UPDATE claims SET until = 0", []).unwrap();
        assert!(other.claim("x").unwrap());
    }

    #[test]
    fn many_may_write_at_the_same_time() {
        let file = File::new("many");
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let path = &file.0;
                scope.spawn(move || {
                    let mut store = Store::open(path).unwrap();
                    for number in 0..25 {
                        // Half of them are everybody's.
                        let id = if number % 2 == 0 { format!("{number}") } else { format!("{writer}.{number}") };
                        store.add(&played(&id, 0), &record()).unwrap();
                    }
                });
            }
        });
        let store = Store::read(&file.0).unwrap();
        assert_eq!(store.all().unwrap().len(), 13 + 4 * 12);
        let check: String = store.connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(check, "ok");
    }

    #[test]
    fn many_may_begin_it_at_the_same_time() {
        for round in 0..50 {
            let file = File::new(&format!("begin-{round}"));
            let together = std::sync::Barrier::new(4);
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        together.wait();
                        Store::open(&file.0).unwrap();
                    });
                }
            });
        }
    }

    #[test]
    fn other_files_are_left_alone() {
        let file = File::new("other");
        assert!(matches!(Store::read(&file.0), Err(StoreError::Sqlite { .. })), "reading does not make a file");
        fs::write(&file.0, "a diary, not a database: it is long enough to have a header, and none of it is one. ".repeat(20))
            .unwrap();
        let error = Store::open(&file.0).err().expect("no store").to_string();
        assert!(error.contains("not an SQLite file"), "{error}");
        file.remove();
        rusqlite::Connection::open(&file.0).unwrap().execute_batch("CREATE TABLE t (a)").unwrap();
        let before = fs::read(&file.0).unwrap();
        for error in [Store::open(&file.0).err(), Store::read(&file.0).err()] {
            let error = error.expect("no store").to_string();
            assert!(error.contains("another program made it"), "{error}");
        }
        assert_eq!(fs::read(&file.0).unwrap(), before, "it is as it was");
        // One that is made to look like a store, with a question that never ends in the place of the matches.
        file.remove();
        drop(Store::open(&file.0).unwrap());
        let trap = "DROP TABLE matches; CREATE VIEW matches AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id FROM n) SELECT id FROM n";
        rusqlite::Connection::open(&file.0).unwrap().execute_batch(trap).unwrap();
        let error = Store::read(&file.0).err().expect("no store").to_string();
        assert!(error.contains("its tables are not those of a store"), "{error}");
    }

    #[test]
    fn what_is_broken_in_a_store_is_named() {
        let mut store = Store::in_memory().unwrap();
        store.add(&played("x", 0), &record()).unwrap();
        store.connection.execute("UPDATE matches SET played = '{', record = x'00'", []).unwrap();
        for error in [store.get("x").err(), store.all().err(), store.record("x").err()] {
            let error = error.expect("an error").to_string();
            assert!(error.contains("the match x") && error.contains("cannot be read"), "{error}");
        }
    }
}
