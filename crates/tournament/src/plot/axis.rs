//! From values to places, and the round numbers in between.

/// About how many ticks there are.
const TICKS: f64 = 6.0;
/// Beyond this a value is taken for this, so that differences stay finite.
const MOST: f64 = 1e300;
/// The smallest value on a logarithmic scale.
const LEAST: f64 = 1e-300;

/// A range of values laid on a range of places.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    logarithmic: bool,
    low: f64,
    high: f64,
    places: (f64, f64),
    ticks: Vec<f64>,
}

impl Scale {
    /// Has room for all of these, as far as they can be drawn; for something where none can.
    pub(super) fn new(values: impl Iterator<Item = f64>, logarithmic: bool, places: (f64, f64)) -> Scale {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|&value| drawable(value, logarithmic)) {
            let value = if logarithmic { value.clamp(LEAST, MOST) } else { value.clamp(-MOST, MOST) };
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = if logarithmic { (1.0, 10.0) } else { (0.0, 1.0) };
        }
        let ticks = if logarithmic { decades(low, high) } else { steps(low, high) };
        let low = ticks.first().map_or(low, |&tick| tick.min(low));
        let high = ticks.last().map_or(high, |&tick| tick.max(high));
        Scale { logarithmic, low, high, places, ticks }
    }

    /// The round numbers.
    pub(super) fn ticks(&self) -> &[f64] {
        &self.ticks
    }

    /// Where a value lies; nowhere if it is not a number, or has no logarithm. What is beyond the ends lies at them.
    pub(super) fn place(&self, value: f64) -> Option<f64> {
        if !drawable(value, self.logarithmic) {
            return None;
        }
        let value = value.clamp(self.low, self.high);
        let measure = |value: f64| if self.logarithmic { value.log10() } else { value };
        let share = (measure(value) - measure(self.low)) / (measure(self.high) - measure(self.low));
        Some(self.places.0 + share * (self.places.1 - self.places.0))
    }
}

fn drawable(value: f64, logarithmic: bool) -> bool {
    !value.is_nan() && (!logarithmic || value > 0.0)
}

/// 1, 2 or 5 times a power of ten, so that there are some of them, around all values.
fn steps(low: f64, high: f64) -> Vec<f64> {
    let (low, high) =
        if high > low { (low, high) } else { (low - (low.abs() / 10.0).max(0.5), high + (high.abs() / 10.0).max(0.5)) };
    let rough = (high - low) / TICKS;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|by| by * power).find(|&step| step >= rough * 0.999).unwrap_or(10.0 * power);
    let (first, last) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
    // Where numbers are so large that a step does not change them, the ends must do.
    let count = last - first;
    if !(1.0..=4.0 * TICKS).contains(&count) {
        return vec![low, high];
    }
    (0..=count as usize).map(|index| (first + index as f64) * step).collect()
}

/// Powers of ten, or 1, 2 and 5 times each where there are few.
fn decades(low: f64, high: f64) -> Vec<f64> {
    let (first, last) = ((low.log10() + 1e-9).floor() as i32, (high.log10() - 1e-9).ceil() as i32);
    let last = last.max(first + 1);
    if last - first <= 2 {
        let all: Vec<f64> = (first..=last).flat_map(|power| [1.0, 2.0, 5.0].map(|by| by * 10_f64.powi(power))).collect();
        let from = all.iter().rposition(|&tick| tick <= low * 1.000_001).unwrap_or(0);
        let to = all.iter().position(|&tick| tick >= high * 0.999_999).unwrap_or(all.len() - 1).max(from + 1);
        return all[from..=to].to_vec();
    }
    // Some at most, and the last one beyond all values.
    let every = ((last - first) + 2 * TICKS as i32 - 1) / (2 * TICKS as i32);
    let last = first + (last - first + every - 1) / every * every;
    (first..=last).step_by(every as usize).map(|power| 10_f64.powi(power)).collect()
}

#[cfg(test)]
mod tests {
    use super::Scale;

    fn ticks(values: &[f64], logarithmic: bool) -> Vec<f64> {
        Scale::new(values.iter().copied(), logarithmic, (0.0, 100.0)).ticks().to_vec()
    }

    #[test]
    fn ticks_are_round_and_around_all_values() {
        assert_eq!(ticks(&[0.0, 1.0], false), [0.0, 0.2, 0.4, 0.600_000_000_000_000_1, 0.8, 1.0]);
        assert_eq!(ticks(&[3.0, 27.0], false), [0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0]);
        assert_eq!(ticks(&[-40.0, 40.0], false), [-40.0, -20.0, 0.0, 20.0, 40.0]);
        assert_eq!(ticks(&[3000.0, 2e9], true), [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10]);
        assert_eq!(ticks(&[1.1, 30.0], true), [1.0, 2.0, 5.0, 10.0, 20.0, 50.0]);
        assert_eq!(ticks(&[10.0], true), [10.0, 20.0]);
    }

    #[test]
    fn any_values_have_a_place_within() {
        let nothing: [f64; 0] = [];
        let cases: [&[f64]; 9] = [
            &nothing,
            &[f64::NAN],
            &[5.0],
            &[0.0, 0.0],
            &[-1.0, 1.0],
            &[f64::MAX, f64::MIN],
            &[f64::INFINITY, 1.0],
            &[1e300, 1e300 * (1.0 + f64::EPSILON)],
            &[f64::MIN_POSITIVE, 1e-320, 1.0],
        ];
        for values in cases {
            for logarithmic in [false, true] {
                let scale = Scale::new(values.iter().copied(), logarithmic, (100.0, 0.0));
                let ticks = scale.ticks();
                assert!((2..=40).contains(&ticks.len()) && ticks.is_sorted(), "{values:?}: {ticks:?}");
                for &value in values.iter().chain(ticks) {
                    let place = scale.place(value);
                    assert_eq!(place.is_none(), value.is_nan() || (logarithmic && value <= 0.0), "{value} of {values:?}");
                    assert!(place.is_none_or(|place| (-1e-6..=100.000_001).contains(&place)), "{value} of {values:?}: {place:?}");
                }
            }
        }
    }

    #[test]
    fn the_middle_is_in_the_middle() {
        assert_eq!(Scale::new([0.0, 10.0].into_iter(), false, (0.0, 100.0)).place(5.0), Some(50.0));
        let place = Scale::new([1.0, 1e4].into_iter(), true, (0.0, 100.0)).place(100.0);
        assert!(place.is_some_and(|place| (place - 50.0).abs() < 1e-9));
    }
}
