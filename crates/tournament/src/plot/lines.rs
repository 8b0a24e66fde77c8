//! Several series over one axis.

use super::axis::Scale;
use super::{COLOURS, Svg, short, width_of};

/// A value at a place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Where.
    pub x: f64,
    /// The value.
    pub y: f64,
    /// Where the value may lie.
    pub interval: Option<[f64; 2]>,
}

/// Points that belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// What it is.
    pub label: String,
    /// In any order; those that are not numbers are left out.
    pub points: Vec<Point>,
    /// Whether the line is broken, as for what others published.
    pub dashed: bool,
}

/// What an axis says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What its numbers are.
    pub label: String,
    /// Whether every step is a factor. Values that are not greater than 0 are not drawn then.
    pub logarithmic: bool,
}

/// What there is to draw.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    /// What it shows.
    pub title: String,
    /// From left to right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// Where a level line stands that values are compared with.
    pub reference: Option<f64>,
    /// The series.
    pub series: Vec<Series>,
}

const LEFT: f64 = 64.0;
const TOP: f64 = 34.0;
const WIDE: f64 = 480.0;
const HIGH: f64 = 260.0;
const LEGEND_ROW: f64 = 18.0;

/// Draws lines with error bars.
pub fn lines(lines: &Lines) -> String {
    let points = || lines.series.iter().flat_map(|series| &series.points);
    let (right, bottom) = (LEFT + WIDE, TOP + HIGH.max(LEGEND_ROW * lines.series.len() as f64));
    let ends = |point: &Point| [Some(point.y), point.interval.map(|at| at[0]), point.interval.map(|at| at[1])];
    let across = Scale::new(points().map(|point| point.x), lines.x.logarithmic, (LEFT, right));
    let up = Scale::new(points().flat_map(ends).flatten().chain(lines.reference), lines.y.logarithmic, (bottom, TOP));

    let mut svg = Svg::new();
    svg.text((12.0, 18.0), "start", "lp-ink", &lines.title);
    for &tick in across.ticks() {
        let Some(x) = across.place(tick) else { continue };
        svg.line((x, TOP), (x, bottom), "lp-grid", "");
        svg.text((x, bottom + 15.0), "middle", "lp-soft", &short(tick));
    }
    for &tick in up.ticks() {
        let Some(y) = up.place(tick) else { continue };
        svg.line((LEFT, y), (right, y), "lp-grid", "");
        svg.text((LEFT - 6.0, y + 4.0), "end", "lp-soft", &short(tick));
    }
    if let Some(y) = lines.reference.and_then(|value| up.place(value)) {
        svg.line((LEFT, y), (right, y), "lp-line", r#" stroke-dasharray="4 3""#);
    }
    for (index, series) in lines.series.iter().enumerate() {
        draw(&mut svg, (&across, &up), series, index);
        let y = TOP + 6.0 + LEGEND_ROW * index as f64;
        svg.line((right + 12.0, y), (right + 32.0, y), &format!("lp-s{}", index % COLOURS), dashes(series, index));
        svg.text((right + 38.0, y + 4.0), "start", "lp-ink", &series.label);
    }
    svg.text((f64::midpoint(LEFT, right), bottom + 32.0), "middle", "lp-ink", &lines.x.label);
    svg.text((12.0, bottom + 50.0), "start", "lp-soft", &format!("upwards: {}", lines.y.label));
    let widest = lines.series.iter().map(|series| width_of(&series.label)).fold(0.0, f64::max);
    let width = (right + 52.0 + widest).max(24.0 + width_of(&lines.title));
    svg.finish((width, bottom + 60.0), &lines.title)
}

/// How a line is broken. A second series of the same colour looks different.
fn dashes(series: &Series, index: usize) -> &'static str {
    match (series.dashed, index / COLOURS % 2) {
        (true, 0) => r#" stroke-width="2" stroke-dasharray="6 4""#,
        (true, _) => r#" stroke-width="2" stroke-dasharray="2 4""#,
        (false, 0) => r#" stroke-width="2""#,
        (false, _) => r#" stroke-width="2" stroke-dasharray="12 3""#,
    }
}

fn draw(svg: &mut Svg, (across, up): (&Scale, &Scale), series: &Series, index: usize) {
    let colour = index % COLOURS;
    let (stroke, fill) = (format!("lp-s{colour}"), format!("lp-f{colour}"));
    let mut points: Vec<&Point> = series.points.iter().collect();
    points.sort_by(|one, two| one.x.total_cmp(&two.x));
    let mut last = None;
    for point in points {
        let (Some(x), Some(y)) = (across.place(point.x), up.place(point.y)) else { continue };
        if let Some([low, high]) = point.interval
            && let (Some(from), Some(to)) = (up.place(low), up.place(high))
        {
            svg.line((x, from), (x, to), &stroke, "");
        }
        if let Some(last) = last.replace((x, y)) {
            svg.line(last, (x, y), &stroke, dashes(series, index));
        }
        svg.dot((x, y), &fill);
    }
}

#[cfg(test)]
mod tests {
    use super::{Axis, Lines, Point, Series, lines};

    fn point(x: f64, y: f64) -> Point {
        Point { x, y, interval: None }
    }

    #[test]
    fn points_are_joined_from_left_to_right() {
        let series = |label: &str, points: Vec<Point>| Series { label: label.to_owned(), points, dashed: false };
        let bar = Point { interval: Some([0.4, 0.6]), ..point(2.0, 0.5) };
        let drawn = Lines {
            title: "\"<x>\"".to_owned(),
            x: Axis { label: "s".to_owned(), logarithmic: true },
            series: vec![
                series("one", vec![point(10.0, 0.9), point(1.0, 0.1), point(f64::NAN, 1.0), point(0.0, 1.0), bar]),
                series("two", Vec::new()),
            ],
            reference: Some(0.5),
            ..Lines::default()
        };
        let text = lines(&drawn);
        assert_eq!(text.matches("<circle").count(), 3, "what cannot be drawn is left out");
        assert_eq!(text.matches("class=\"lp-s0\"").count(), 4, "two lines, one bar, one in the legend: {text}");
        assert!(text.contains("&quot;&lt;x&gt;&quot;") && !text.contains("NaN"));
        let xs: Vec<f64> = text
            .lines()
            .filter(|line| line.starts_with("<circle"))
            .filter_map(|line| line.split('"').nth(1)?.parse().ok())
            .collect();
        assert!(xs.is_sorted(), "{xs:?}");
    }

    #[test]
    fn nothing_can_be_drawn() {
        let text = lines(&Lines::default());
        assert!(text.ends_with("</svg>\n") && !text.contains("NaN") && !text.contains("inf"), "{text}");
    }
}
