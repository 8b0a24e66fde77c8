//! When and on what something was measured.

use std::fs;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

/// The date, in the time zone of Greenwich.
pub(super) fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date(seconds / 86_400)
}

/// The date so many days after the first of January 1970.
fn date(days: u64) -> String {
    // Counted from the first of March of the year 0, years end with the day that leap years add. 400 years have 146,097 days.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day_of_month = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day_of_month:02}", era * 400 + year + later)
}

/// Processor, cores, system: nothing that tells whose computer it is.
pub(super) fn machine() -> String {
    let model = fs::read_to_string("/proc/cpuinfo").ok().as_deref().and_then(model_of);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let model = model.unwrap_or_else(|| "processor not known".to_owned());
    format!("{model}, {}, {} {}", crate::words::number(cores as u64, "core"), std::env::consts::OS, std::env::consts::ARCH)
}

/// What `/proc/cpuinfo` calls the processor.
fn model_of(text: &str) -> Option<String> {
    let value = |line: &str| line.strip_prefix("model name")?.trim_start().strip_prefix(':').map(str::to_owned);
    let model: String = text.lines().find_map(value)?.split_whitespace().collect::<Vec<_>>().join(" ");
    let clean: String = model.chars().filter(|character| !character.is_control()).take(100).collect();
    (!clean.is_empty()).then_some(clean)
}

#[cfg(test)]
mod tests {
    use super::{date, machine, model_of};

    #[test]
    fn days_become_dates() {
        let dates = [0, 58, 59, 789, 790, 11_016, 11_017, 19_782, 20_773, 47_541].map(date);
        let expected = [
            "1970-01-01",
            "1970-02-28",
            "1970-03-01",
            "1972-02-29",
            "1972-03-01",
            "2000-02-29",
            "2000-03-01",
            "2024-02-29",
            "2026-11-16",
            "2100-03-01",
        ];
        assert_eq!(dates, expected);
    }

    #[test]
    fn the_processor_has_its_name() {
        assert_eq!(model_of("processor\t: 0\nmodel name\t: A  B\u{7}C @ 2GHz\n").as_deref(), Some("A BC @ 2GHz"));
        assert_eq!(model_of("Features : fp asimd\n"), None);
        assert!(machine().contains(std::env::consts::ARCH));
    }
}
