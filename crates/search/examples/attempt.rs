use ludens_machine::*;
use ludens_search::*;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
#[derive(Debug)]
struct Real(Instant);
impl Clock for Real {
    fn wall(&self) -> Duration {
        self.0.elapsed()
    }
    fn cpu(&self) -> Duration {
        cpu_time::ThreadTime::now().as_duration()
    }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let secs: f64 = args[1].parse().unwrap();
    let threads: usize = args[2].parse().unwrap();
    for game in &args[3..] {
        let text = std::fs::read_to_string(format!("games/{game}/rules.kif")).unwrap();
        let rules = ludens_gdl::read(&text, &ludens_gdl::Limits::default()).rules.unwrap();
        let machine = Machine::fastest(
            &rules,
            &GroundLimits::default(),
            &relational::Options::default(),
            &ludens_machine::Limits::default(),
        )
        .unwrap();
        machine.prepare(512);
        let clock = Real(Instant::now());
        let stop = AtomicBool::new(false);
        let watch = Watch { clock: &clock, stop: &stop };
        let mut options = uct::Options::default();
        if let Ok(l) = std::env::var("L") {
            options.leaves = l.parse().unwrap();
        }
        if let Ok(l) = std::env::var("P") {
            options.playouts = l.parse().unwrap();
        }
        let mut search = Uct::new(&machine, options, Settings { threads, memory: 1 << 30, ..Settings::default() });
        let budget = Budget { cpu: Some(Duration::from_secs_f64(secs)), ..Budget::default() };
        let v = search.think(machine.initial(), RoleId(0), &budget, &watch).unwrap();
        let cpu = v.cpu.as_secs_f64();
        println!(
            "{game}: {} {:?} sims {} ({:.0} k/s) playouts {} ({:.2} M/s) nodes {} depth {} mem {} MB bytes/node {} tree us/leaf {:.2} cpu {:.3} wall {:.3} bounds {:?}",
            machine.move_text(v.choice),
            v.values,
            v.simulations,
            v.simulations as f64 / cpu / 1e3,
            v.playouts,
            v.playouts as f64 / cpu / 1e6,
            v.nodes,
            v.depth,
            v.memory >> 20,
            v.memory / v.nodes.max(1),
            (v.wall.as_secs_f64() * threads as f64 - v.engine.unwrap().as_secs_f64()) * 1e6 / v.simulations as f64,
            cpu,
            v.wall.as_secs_f64(),
            v.bounds
        );
        for m in v.moves.iter().take(5) {
            println!("   {} {} {:?} +-{:?} {:?}", machine.move_text(m.id), m.visits, m.value, m.error, m.bounds);
        }
        println!(
            "   {}",
            v.line
                .iter()
                .take(8)
                .map(|j| j.iter().map(|&m| machine.move_text(m)).collect::<Vec<_>>().join(" "))
                .collect::<Vec<_>>()
                .join("; ")
        );
    }
}
