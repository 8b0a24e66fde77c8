//! Farmers, with whole numbers for money and prices.

use crate::harness::{Simulator, agree, words};

/// A raw material stands before what is made of it.
const GOODS: [&str; 4] = ["wheat", "flour", "cotton", "cloth"];

#[derive(Clone, Default)]
struct Farmer {
    money: i32,
    farm: bool,
    factory: bool,
    store: [bool; 4],
}

#[derive(Clone)]
struct Market {
    farmers: [Farmer; 3],
    prices: [i32; 4],
    rounds: usize,
}

fn index(good: &str) -> usize {
    GOODS.iter().position(|name| *name == good).expect("a good")
}

impl Farmer {
    fn legal(&self, prices: [i32; 4]) -> Vec<String> {
        let mut moves = vec!["noop".to_owned()];
        if !self.farm && self.money >= 10 {
            moves.push("(build farm)".to_owned());
        }
        if !self.factory && self.money >= 20 {
            moves.push("(build factory)".to_owned());
        }
        for (good, name) in GOODS.iter().enumerate() {
            let raw = good % 2 == 0;
            if self.store[good] {
                moves.push(format!("(sell {name})"));
            } else if prices[good] <= self.money {
                moves.push(format!("(buy {name})"));
            }
            if raw && self.farm && !self.store[good] {
                moves.push(format!("(grow {name})"));
            }
            if !raw && self.factory && self.store[good - 1] {
                moves.push(format!("(make {name})"));
            }
        }
        moves
    }
}

impl Simulator for Market {
    fn new() -> Market {
        let farmer = Farmer { money: 25, ..Farmer::default() };
        Market { farmers: [farmer.clone(), farmer.clone(), farmer], prices: [4, 10, 7, 14], rounds: 0 }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        self.farmers.iter().map(|farmer| farmer.legal(self.prices)).collect()
    }

    fn play(&mut self, joint: &[String]) {
        let mut rise = [1; 4];
        for (farmer, text) in self.farmers.iter_mut().zip(joint) {
            match words(text)[..] {
                ["build", "farm"] => {
                    farmer.farm = true;
                    farmer.money -= 10;
                }
                ["build", "factory"] => {
                    farmer.factory = true;
                    farmer.money -= 20;
                }
                ["grow", good] => farmer.store[index(good)] = true,
                ["make", good] => {
                    farmer.store[index(good) - 1] = false;
                    farmer.store[index(good)] = true;
                }
                ["buy", good] => {
                    farmer.store[index(good)] = true;
                    farmer.money -= self.prices[index(good)];
                    rise[index(good)] += 2;
                }
                ["sell", good] => {
                    farmer.store[index(good)] = false;
                    farmer.money += self.prices[index(good)];
                    rise[index(good)] -= 2;
                }
                _ => {}
            }
        }
        for (price, rise) in self.prices.iter_mut().zip(rise) {
            *price = (*price + rise).max(0);
        }
        self.rounds += 1;
    }

    fn terminal(&self) -> bool {
        self.rounds == 10
    }

    fn points(&self) -> Vec<u8> {
        let most = self.farmers.iter().map(|farmer| farmer.money).max();
        self.farmers.iter().map(|farmer| if Some(farmer.money) == most { 100 } else { 0 }).collect()
    }
}

#[test]
fn agrees() {
    agree::<Market>("farmers");
}
