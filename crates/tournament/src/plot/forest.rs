//! Rows of dots with whiskers, one below the other.

use super::axis::Scale;
use super::{Svg, legend_of_marks, short, width_of};

/// A value with how sure it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// What it is of.
    pub label: String,
    /// The value; nothing is drawn where it is not a number.
    pub value: f64,
    /// Where it may lie.
    pub interval: Option<[f64; 2]>,
    /// What somebody else has published of the same.
    pub published: Option<f64>,
}

/// What there is to draw: groups of rows, each with its heading, which may be empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forest {
    /// What it shows.
    pub title: String,
    /// What the values are.
    pub axis: String,
    /// Whether every step is a factor. Values that are not greater than 0 are not drawn then.
    pub logarithmic: bool,
    /// Where a line stands that values are compared with.
    pub reference: Option<f64>,
    /// The rows under their headings.
    pub groups: Vec<(String, Vec<Row>)>,
}

const PLOT: f64 = 420.0;
const ROW: f64 = 20.0;
const TOP: f64 = 34.0;

/// Draws dots and whiskers.
pub fn forest(forest: &Forest) -> String {
    let rows = || forest.groups.iter().flat_map(|(_, rows)| rows);
    let texts: Vec<String> = rows().map(said).collect();
    let widest = |texts: &mut dyn Iterator<Item = f64>| texts.fold(40.0, f64::max);
    let left = 24.0
        + widest(&mut rows().map(|row| width_of(&row.label) + 12.0).chain(forest.groups.iter().map(|(name, _)| width_of(name))));
    let right = left + PLOT;
    let width = right + 16.0 + widest(&mut texts.iter().map(|text| width_of(text)));
    let values =
        rows().flat_map(|row| [Some(row.value), row.interval.map(|at| at[0]), row.interval.map(|at| at[1]), row.published]);
    let scale = Scale::new(values.flatten().chain(forest.reference), forest.logarithmic, (left, right));
    let lines = rows().count() + forest.groups.iter().filter(|(name, _)| !name.is_empty()).count();
    let bottom = TOP + ROW * lines as f64 + 6.0;

    let mut svg = Svg::new();
    svg.text((12.0, 18.0), "start", "lp-ink", &forest.title);
    for &tick in scale.ticks() {
        let Some(x) = scale.place(tick) else { continue };
        svg.line((x, TOP), (x, bottom), "lp-grid", "");
        svg.text((x, bottom + 15.0), "middle", "lp-soft", &short(tick));
    }
    if let Some(x) = forest.reference.and_then(|value| scale.place(value)) {
        svg.line((x, TOP), (x, bottom), "lp-line", r#" stroke-dasharray="4 3""#);
    }
    let mut y = TOP + ROW / 2.0;
    let mut texts = texts.iter();
    for (name, rows) in &forest.groups {
        if !name.is_empty() {
            svg.text((12.0, y + 4.0), "start", "lp-ink", name);
            y += ROW;
        }
        for row in rows {
            svg.text((24.0, y + 4.0), "start", "lp-soft", &row.label);
            draw(&mut svg, &scale, row, y);
            svg.text((right + 10.0, y + 4.0), "start", "lp-soft", texts.next().map_or("", String::as_str));
            y += ROW;
        }
    }
    svg.text((f64::midpoint(left, right), bottom + 32.0), "middle", "lp-ink", &forest.axis);
    let mut height = bottom + 42.0;
    if rows().any(|row| row.published.is_some()) {
        legend_of_marks(&mut svg, (12.0, height + 8.0), "measured", "published");
        height += 20.0;
    }
    svg.finish((width, height), &forest.title)
}

fn draw(svg: &mut Svg, scale: &Scale, row: &Row, y: f64) {
    if let Some([low, high]) = row.interval
        && let (Some(from), Some(to)) = (scale.place(low), scale.place(high))
    {
        svg.line((from, y), (to, y), "lp-s0", r#" stroke-width="2""#);
    }
    if let Some(x) = scale.place(row.value) {
        svg.dot((x, y), "lp-f0");
    }
    if let Some(x) = row.published.and_then(|value| scale.place(value)) {
        svg.diamond((x, y));
    }
}

/// The value in words.
fn said(row: &Row) -> String {
    match (row.value.is_nan(), row.interval) {
        (true, _) => String::new(),
        (false, Some([low, high])) => format!("{} [{}, {}]", short(row.value), short(low), short(high)),
        (false, None) => short(row.value),
    }
}

#[cfg(test)]
mod tests {
    use super::{Forest, Row, forest};

    #[test]
    fn every_row_is_drawn_with_what_it_has() {
        let row = |label: &str, value: f64| Row { label: label.to_owned(), value, ..Row::default() };
        let rows = vec![
            Row { interval: Some([2.0, 4.0]), published: Some(1.5), ..row("a <b>", 3.0) },
            row("nothing", f64::NAN),
            row("below", -1.0),
        ];
        let plain =
            Forest { title: "T&T".to_owned(), reference: Some(1.0), groups: vec![("g".to_owned(), rows)], ..Forest::default() };
        let text = forest(&plain);
        assert!(text.starts_with("<svg xmlns=") && text.ends_with("</svg>\n"));
        assert!(text.contains("a &lt;b&gt;") && text.contains("<title>T&amp;T</title>") && text.contains("3 [2, 4]"));
        let dots = |text: &str| text.matches("<circle").count();
        assert_eq!(dots(&text), 3, "two rows and the legend");
        assert_eq!(text.matches("<path").count(), 2, "one row and the legend");
        assert!(!text.contains("NaN") && !text.contains("inf"));
        let logarithmic = forest(&Forest { logarithmic: true, ..plain });
        assert_eq!(dots(&logarithmic), 2, "what has no logarithm is left out");
    }

    #[test]
    fn nothing_can_be_drawn() {
        for logarithmic in [false, true] {
            let text = forest(&Forest { logarithmic, ..Forest::default() });
            assert!(text.contains("</svg>") && !text.contains("NaN") && !text.contains("inf"), "{text}");
        }
    }
}
