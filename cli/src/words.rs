//! Numbers with their nouns.

/// `1 error`, `2 errors`, `3 matches`.
pub(crate) fn number(count: u64, noun: &str) -> String {
    let ending = match count {
        1 => "",
        _ if noun.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{count} {noun}{ending}")
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn only_one_is_singular() {
        assert_eq!(number(0, "error"), "0 errors");
        assert_eq!(number(1, "random match"), "1 random match");
        assert_eq!(number(2, "random match"), "2 random matches");
    }
}
