//! Plots as SVG: one text, no script, no font or picture from elsewhere, readable on light and on dark.

mod axis;
mod forest;
mod lines;

pub use forest::{Forest, Row, forest};
pub use lines::{Axis, Lines, Point, Series, lines};

use std::fmt::Write as _;

/// Colours are told apart by people who do not see all of them, and on both grounds. The names keep to themselves where several plots stand in one page.
const STYLE: &str = "\
.lp-ground{fill:#fff}.lp-ink{fill:#1f2328}.lp-soft{fill:#59636e}.lp-grid{stroke:#d8dee4}.lp-line{stroke:#59636e}.lp-mark{fill:none;stroke:#1f2328}\
.lp-s0{stroke:#0072b2;fill:none}.lp-f0{fill:#0072b2}.lp-s1{stroke:#d55e00;fill:none}.lp-f1{fill:#d55e00}.lp-s2{stroke:#008a66;fill:none}.lp-f2{fill:#008a66}.lp-s3{stroke:#b5568c;fill:none}.lp-f3{fill:#b5568c}.lp-s4{stroke:#9a7400;fill:none}.lp-f4{fill:#9a7400}.lp-s5{stroke:#6a51c8;fill:none}.lp-f5{fill:#6a51c8}\
@media(prefers-color-scheme:dark){\
.lp-ground{fill:#0d1117}.lp-ink{fill:#e6edf3}.lp-soft{fill:#9198a1}.lp-grid{stroke:#2c333b}.lp-line{stroke:#9198a1}.lp-mark{stroke:#e6edf3}\
.lp-s0{stroke:#56b4e9;fill:none}.lp-f0{fill:#56b4e9}.lp-s1{stroke:#ff8a3c;fill:none}.lp-f1{fill:#ff8a3c}.lp-s2{stroke:#2fc79b;fill:none}.lp-f2{fill:#2fc79b}.lp-s3{stroke:#e58fc0;fill:none}.lp-f3{fill:#e58fc0}.lp-s4{stroke:#e6b800;fill:none}.lp-f4{fill:#e6b800}.lp-s5{stroke:#a99bff;fill:none}.lp-f5{fill:#a99bff}}";

/// How many colours there are.
const COLOURS: usize = 6;

/// Labels are cut to so many characters.
const LONGEST_LABEL: usize = 60;

/// A drawing that grows.
struct Svg {
    body: String,
}

impl Svg {
    fn new() -> Svg {
        Svg { body: String::new() }
    }

    /// Some text. `anchor` is `start`, `middle` or `end`.
    fn text(&mut self, (x, y): (f64, f64), anchor: &str, class: &str, text: &str) {
        let text = escape(&cut(text));
        let _ = writeln!(self.body, r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" class="{class}">{text}</text>"#);
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str, more: &str) {
        let ((x1, y1), (x2, y2)) = (from, to);
        let _ = writeln!(self.body, r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" class="{class}"{more}/>"#);
    }

    fn dot(&mut self, (x, y): (f64, f64), class: &str) {
        let _ = writeln!(self.body, r#"<circle cx="{x:.1}" cy="{y:.1}" r="4" class="{class}"/>"#);
    }

    /// The mark of a published value.
    fn diamond(&mut self, (x, y): (f64, f64)) {
        let _ = writeln!(self.body, r#"<path d="M{:.1} {y:.1}l5 -5l5 5l-5 5z" class="lp-mark" stroke-width="1.5"/>"#, x - 5.0);
    }

    /// The whole document.
    fn finish(self, (width, height): (f64, f64), title: &str) -> String {
        let title = escape(title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             role=\"img\" font-family=\"system-ui,sans-serif\" font-size=\"12\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
             <rect width=\"100%\" height=\"100%\" class=\"lp-ground\"/>\n{}</svg>\n",
            self.body
        )
    }
}

/// A text for XML: what has a meaning there is written otherwise, what may not stand there at all is replaced.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            _ if character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// The beginning of a long label.
fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST_LABEL {
        return text.to_owned();
    }
    text.chars().take(LONGEST_LABEL - 1).chain(['…']).collect()
}

/// About how wide a text is, in the units of the drawing.
fn width_of(text: &str) -> f64 {
    6.7 * text.chars().count().min(LONGEST_LABEL) as f64
}

/// A number as short as it can be said: `0.5`, `20k`, `1.5M`.
fn short(number: f64) -> String {
    let size = number.abs();
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    let (scaled, unit) =
        units.iter().find(|&&(from, _)| size >= 0.9995 * from).map_or((number, ""), |&(by, unit)| (number / by, unit));
    if size >= 1e15 || (size > 0.0 && size < 1e-3) {
        return format!("{number:.1e}");
    }
    // Three figures.
    let decimals = match scaled.abs() {
        size if size >= 99.95 => 0,
        size if size >= 9.995 => 1,
        size if size >= 0.9995 => 2,
        _ => 3,
    };
    let text = format!("{scaled:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    let text = if text == "-0" { "0" } else { text };
    format!("{text}{unit}")
}

/// What some drawings have below: the sign of what was measured and of what was published.
fn legend_of_marks(svg: &mut Svg, (x, y): (f64, f64), measured: &str, published: &str) {
    svg.dot((x + 5.0, y - 4.0), "lp-f0");
    svg.text((x + 16.0, y), "start", "lp-soft", measured);
    let x = x + 36.0 + width_of(measured);
    svg.diamond((x + 5.0, y - 4.0));
    svg.text((x + 16.0, y), "start", "lp-soft", published);
}

#[cfg(test)]
mod tests {
    use super::{cut, escape, short};

    #[test]
    fn texts_are_escaped() {
        assert_eq!(escape("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c&#39;");
        assert_eq!(escape("a\u{0}\u{1b}\nb\u{ffff}"), "a\u{fffd}\u{fffd} b\u{fffd}");
        assert_eq!(cut(&"x".repeat(100)).chars().count(), 60);
    }

    #[test]
    fn numbers_are_short() {
        let said =
            [0.0, -0.0, 0.5, 0.1 + 0.2, 1.0, 12.34, 999.96, 1000.0, 20_000.0, 1_500_000.0, 2.15e9, -3.0, 1e-5, 1e20].map(short);
        let expected = ["0", "0", "0.5", "0.3", "1", "12.3", "1k", "1k", "20k", "1.5M", "2.15G", "-3", "1.0e-5", "1.0e20"];
        assert_eq!(said, expected);
    }
}
