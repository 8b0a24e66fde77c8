//! Goal values.

/// The points a goal value stands for: a whole number from 0 to 100, written with one to three ASCII digits and no sign.
pub fn points(text: &str) -> Option<u8> {
    let is_number = (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|&points| is_number && points <= 100)
}

#[cfg(test)]
mod tests {
    use super::points;

    #[test]
    fn only_plain_numbers_are_points() {
        for (text, expected) in [("0", Some(0)), ("50", Some(50)), ("100", Some(100)), ("007", Some(7))] {
            assert_eq!(points(text), expected, "{text}");
        }
        for text in ["", "+50", "-0", "101", "256", "0050", "5.0", "1e2", "٥", "win"] {
            assert_eq!(points(text), None, "{text}");
        }
    }
}
