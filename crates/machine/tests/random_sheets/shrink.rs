//! Makes a sheet that shows a mistake smaller.

use crate::statement::Sheet;

/// Leaves out statements and conditions, one at a time, as long as the mistake stays.
pub(crate) fn shrink(sheet: &Sheet, still_wrong: impl Fn(&Sheet) -> bool) -> Sheet {
    let mut smallest = sheet.clone();
    loop {
        let before = smallest.clone();
        smallest = leave_out(smallest, &still_wrong);
        if smallest == before {
            return smallest;
        }
    }
}

fn leave_out(mut sheet: Sheet, still_wrong: &impl Fn(&Sheet) -> bool) -> Sheet {
    for at in (0..sheet.0.len()).rev() {
        let mut fewer = sheet.clone();
        fewer.0.remove(at);
        if still_wrong(&fewer) {
            sheet = fewer;
            continue;
        }
        for condition in (0..sheet.0[at].body.len()).rev() {
            let mut fewer = sheet.clone();
            fewer.0[at].body.remove(condition);
            if still_wrong(&fewer) {
                sheet = fewer;
            }
        }
    }
    sheet
}
