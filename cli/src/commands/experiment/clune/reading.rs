//! Least squares with a few columns.

/// What is added on the diagonal, against what the columns vary: columns that say nothing, or the same, get small weights rather than none at all.
const RIDGE: f64 = 1e-9;

/// The weights by which columns, and a constant, explain values best, and the share of the variance that they explain; 1 where nothing varies.
pub(super) fn fit(columns: &[Vec<f64>], values: &[f64]) -> (Vec<f64>, f64) {
    let columns: Vec<Vec<f64>> = columns.iter().map(|column| centred(column)).collect();
    let values = centred(values);
    let product = |one: &[f64], two: &[f64]| one.iter().zip(two).map(|(one, two)| one * two).sum::<f64>();
    let mut rows: Vec<Vec<f64>> = columns
        .iter()
        .map(|column| columns.iter().map(|other| product(column, other)).chain([product(column, &values)]).collect())
        .collect();
    for (index, row) in rows.iter_mut().enumerate() {
        row[index] += (row[index] * RIDGE).max(f64::MIN_POSITIVE);
    }
    let weights = solve(rows);
    let total = product(&values, &values);
    let explained: f64 = columns.iter().zip(&weights).map(|(column, weight)| weight * product(column, &values)).sum();
    let share = if total > 1e-12 { (explained / total).clamp(0.0, 1.0) } else { 1.0 };
    (weights, share)
}

fn centred(column: &[f64]) -> Vec<f64> {
    let mean = column.iter().sum::<f64>() / column.len().max(1) as f64;
    column.iter().map(|value| value - mean).collect()
}

/// Gauss and Jordan: every row has its equation's right side at its end.
fn solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let count = rows.len();
    for column in 0..count {
        let best = (column..count).max_by(|&one, &two| rows[one][column].abs().total_cmp(&rows[two][column].abs()));
        rows.swap(column, best.unwrap_or(column));
        let pivot = rows[column].clone();
        if pivot[column].abs() < f64::MIN_POSITIVE * 2.0 {
            continue;
        }
        for (index, row) in rows.iter_mut().enumerate() {
            let factor = if index == column { 0.0 } else { row[column] / pivot[column] };
            row.iter_mut().zip(&pivot).for_each(|(value, pivot)| *value -= factor * pivot);
        }
    }
    let weight = |(index, row): (usize, &Vec<f64>)| if row[index].abs() < 1e-300 { 0.0 } else { row[count] / row[index] };
    rows.iter().enumerate().map(weight).collect()
}

#[cfg(test)]
mod tests {
    use super::fit;

    #[test]
    fn a_sum_is_found_again() {
        let one = vec![1.0, 2.0, 3.0, 4.0, 7.0];
        let two = vec![0.0, 1.0, 0.0, 1.0, 3.0];
        let sum: Vec<f64> = one.iter().zip(&two).map(|(one, two)| 5.0 + 2.0 * one - 3.0 * two).collect();
        let (weights, explained) = fit(&[one.clone(), two], &sum);
        assert!((weights[0] - 2.0).abs() < 1e-6 && (weights[1] + 3.0).abs() < 1e-6 && explained > 0.999, "{weights:?}");
        // A column that never varies says nothing, and what no column explains is not explained.
        let (weights, explained) = fit(&[vec![1.0; 4]], &[1.0, -1.0, 1.0, -1.0]);
        assert!(weights[0].abs() < 1e-9 && explained < 1e-9, "{weights:?} {explained}");
        let (weights, explained) = fit(&[one], &[7.0; 5]);
        assert!(weights[0].abs() < 1e-9 && explained > 0.999);
        assert_eq!(fit(&[], &[1.0, 2.0]), (Vec::new(), 0.0));
    }
}
