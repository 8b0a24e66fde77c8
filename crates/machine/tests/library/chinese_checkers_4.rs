//! Chinese checkers for four, by the simulator of the game for six.

use crate::chinese_checkers_6::ChineseCheckers;
use crate::harness::agree;

#[test]
fn agrees() {
    agree::<ChineseCheckers<4>>("chinese_checkers_4");
}
