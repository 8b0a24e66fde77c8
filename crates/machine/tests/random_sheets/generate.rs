//! Random rule sheets, small and mostly valid: the front end has the last word.
//!
//! Relations are made one after the other. A condition may use what was made before, negated or not, and, in a recursive
//! relation, the relation itself or its partner; so every sheet is stratified.

use ludens_machine::Random;

use crate::statement::Sheet;

const ROLES: [&str; 3] = ["white", "black", "red"];
const CONSTANTS: [&str; 6] = ["a", "b", "c", "0", "1", "2"];
const VARIABLES: [&str; 4] = ["?x", "?y", "?z", "?w"];

/// What a condition can ask: a name in front of its arguments, and how many these are.
#[derive(Clone, Debug)]
struct Source {
    /// What comes before the arguments, e.g. `(true (cell`, and how many parentheses close it.
    open: String,
    close: usize,
    arity: usize,
}

impl Source {
    /// The relation with this name.
    fn relation(name: &str, arity: usize) -> Source {
        Source { open: name.to_owned(), close: 0, arity }
    }

    /// A term of this name, as an argument of what is around it.
    fn inside(outer: &str, name: &str, arity: usize) -> Source {
        Source {
            open: format!("({outer} {}{name}", if arity > 0 { "(" } else { "" }),
            close: if arity > 0 { 2 } else { 1 },
            arity,
        }
    }

    fn with(&self, args: &[String]) -> String {
        match (self.close, args) {
            (0, []) => self.open.clone(),
            (0, _) => format!("({} {})", self.open, args.join(" ")),
            (close, []) => format!("{}{}", self.open, ")".repeat(close)),
            (close, _) => format!("{} {}{}", self.open, args.join(" "), ")".repeat(close)),
        }
    }
}

/// A body in the making: conditions, and the variables that they bind.
#[derive(Clone, Debug, Default)]
struct Body {
    conditions: Vec<String>,
    bound: Vec<String>,
}

struct Generator {
    random: Random,
    sheet: Sheet,
    /// What conditions may ask now.
    sources: Vec<Source>,
    made: usize,
}

/// The sheet of a seed.
pub(crate) fn generate(seed: u64) -> Sheet {
    let mut generator = Generator { random: Random::new(seed), sheet: Sheet::default(), sources: Vec::new(), made: 0 };
    generator.roles();
    generator.facts();
    generator.relations(2);
    generator.init();
    generator.fluents();
    generator.token();
    generator.relations(3);
    generator.layers();
    generator.legal();
    generator.relations(1);
    generator.goal();
    generator.terminal();
    generator.moves();
    generator.relations(2);
    generator.next();
    generator.sheet
}

/// The parts of a sheet.
impl Generator {
    fn roles(&mut self) {
        let count = 1 + self.random.below(ROLES.len());
        for role in &ROLES[..count] {
            self.sheet.fact(format!("(role {role})"));
        }
        self.sources.push(Source::relation("role", 1));
    }

    fn facts(&mut self) {
        for (from, to) in [("0", "1"), ("1", "2")] {
            self.sheet.fact(format!("(succ {from} {to})"));
        }
        for _ in 0..2 + self.random.below(6) {
            let (from, to) = (self.constant(), self.constant());
            self.fact_once(format!("(edge {from} {to})"));
        }
        for _ in 0..=self.random.below(4) {
            let thing = self.constant();
            self.fact_once(format!("(thing {thing})"));
        }
        for _ in 0..self.random.below(4) {
            let (inner, outer) = (self.constant(), self.constant());
            self.fact_once(format!("(boxed (f {inner}) {outer})"));
            self.fact_once(format!("(boxed {outer} (g {inner} {outer}))"));
        }
        if self.chance(50) {
            self.sheet.fact("flag");
        }
        let facts = [("succ", 2), ("edge", 2), ("thing", 1), ("boxed", 2), ("flag", 0), ("nowhere", 1)];
        self.sources.extend(facts.map(|(name, arity)| Source::relation(name, arity)));
    }

    fn fact_once(&mut self, fact: String) {
        if !self.sheet.0.iter().any(|statement| statement.head == fact) {
            self.sheet.fact(fact);
        }
    }

    /// Derived relations, some of them recursive, alone or in pairs.
    fn relations(&mut self, count: usize) {
        for _ in 0..count {
            let partners: Vec<Source> = (0..=self.random.below(2)).map(|_| self.new_relation()).collect();
            let recursive = self.chance(60);
            for relation in &partners {
                for _ in 0..=self.random.below(2) {
                    let body = self.body();
                    self.derive(relation, body);
                }
                if recursive {
                    self.recursive_rule(relation, &partners);
                }
            }
            self.sources.extend(partners);
        }
    }

    fn new_relation(&mut self) -> Source {
        self.made += 1;
        let arity = [0, 1, 1, 2, 2, 2, 3][self.random.below(7)];
        Source::relation(&format!("d{}", self.made), arity)
    }

    fn derive(&mut self, head: &Source, body: Body) {
        let args = self.head_args(head.arity, &body);
        self.sheet.rule(head.with(&args), body.conditions);
    }

    /// A rule that asks itself or its partner, first, last or in the middle.
    fn recursive_rule(&mut self, head: &Source, partners: &[Source]) {
        let mut body = self.body();
        // An equality that builds a term could lead an engine that asks from the head down into ever larger questions.
        for _ in 0..=self.random.below(2) {
            let partner = partners[self.random.below(partners.len())].clone();
            let args: Vec<String> = (0..partner.arity).map(|_| self.known(&body)).collect();
            let place = self.random.below(body.conditions.len() + 1);
            body.conditions.insert(place, partner.with(&args));
        }
        let args: Vec<String> = (0..head.arity).map(|_| self.known(&body)).collect();
        self.sheet.rule(head.with(&args), body.conditions);
    }

    /// A relation that negates itself by name, but not by its first argument.
    fn layers(&mut self) {
        if self.chance(50) {
            return;
        }
        self.sheet.rule("(layer 0 ?x)", ["(thing ?x)".to_owned()]);
        for (layer, below) in [("1", "0"), ("2", "1")] {
            let mut body = self.body();
            let (yes, no) = (self.known(&body), self.known(&body));
            if self.chance(50) {
                body.conditions.push(format!("(layer {below} {yes})"));
            }
            body.conditions.push(format!("(not (layer {below} {no}))"));
            let arg = self.known(&body);
            self.sheet.rule(format!("(layer {layer} {arg})"), body.conditions);
        }
        self.sources.push(Source::relation("layer", 2));
    }

    fn init(&mut self) {
        self.sheet.fact("(init (at a))");
        for _ in 0..=self.random.below(5) {
            let (x, y) = (self.constant(), self.constant());
            let fluents = [format!("(cell {x} {y})"), format!("(at {x})"), "p".to_owned(), format!("(holds (f {x}) {y})")];
            let fluent = &fluents[self.random.below(fluents.len())];
            self.fact_once(format!("(init {fluent})"));
        }
        if self.chance(40) {
            let body = self.body();
            self.derive(&Source::inside("init", "cell", 2), body);
        }
        if self.chance(30) {
            let role = ROLES[0];
            self.sheet.fact(format!("(init (control {role}))"));
        }
    }

    fn fluents(&mut self) {
        let fluents = [("cell", 2), ("at", 1), ("p", 0), ("q", 0), ("holds", 2), ("control", 1), ("did", 2)];
        self.sources.extend(fluents.map(|(name, arity)| Source::inside("true", name, arity)));
        // The state is what play is about: ask for it often.
        self.sources.push(Source::inside("true", "cell", 2));
        self.sources.push(Source::inside("true", "at", 1));
        self.sources.push(Source::relation("true", 1));
    }

    /// A fluent that is always at one place, if nothing puts a second one elsewhere, and relations on where it is, which are only denied.
    fn token(&mut self) {
        if self.chance(50) {
            return;
        }
        for (from, to) in [("a", "b"), ("b", "c"), ("c", "a")] {
            self.sheet.fact(format!("(turn {from} {to})"));
        }
        self.sheet.fact("(init (token a 0))");
        let moved = ["(true (token ?x ?k))".to_owned(), "(turn ?x ?y)".to_owned()];
        self.sheet.rule("(next (token ?y ?k))", moved);
        if self.chance(20) {
            self.sheet.rule("(next (token ?y ?k))", ["(true (token ?x ?k))".to_owned(), "(does ?r (go ?y))".to_owned()]);
        }
        let mut body = self.body();
        let (x, y) = (self.known(&body), self.known(&body));
        self.sheet.rule(format!("(seen {x} {y})"), std::mem::take(&mut body.conditions));
        if self.chance(50) {
            self.sheet.rule("(seen ?x ?z)", ["(turn ?x ?y)".to_owned(), "(seen ?y ?z)".to_owned()]);
        }
        let mut body = self.body();
        let z = self.known(&body);
        body.conditions.push("(true (token ?t 0))".to_owned());
        body.conditions.push(format!("(not (seen ?t {z}))"));
        let arg = self.known(&body);
        self.sheet.rule(format!("(hidden {arg})"), body.conditions);
        self.sources.push(Source::relation("hidden", 1));
        self.sources.push(Source::inside("true", "token", 2));
    }

    fn legal(&mut self) {
        if self.chance(85) {
            self.sheet.rule("(legal ?r noop)", ["(role ?r)".to_owned()]);
        }
        for _ in 0..2 + self.random.below(3) {
            let mut body = self.body();
            let choice = self.some_move(&body);
            let role = self.role(&mut body);
            self.sheet.rule(format!("(legal {role} {choice})"), body.conditions);
        }
        self.sources.push(Source::relation("legal", 2));
    }

    fn goal(&mut self) {
        for value in ["100", "50"] {
            let mut body = self.body();
            let role = self.role(&mut body);
            self.sheet.rule(format!("(goal {role} {value})"), body.conditions);
        }
        if self.chance(70) {
            let conditions = ["(role ?r)", "(not (goal ?r 100))", "(not (goal ?r 50))"];
            self.sheet.rule("(goal ?r 0)", conditions.map(str::to_owned));
        }
        if self.chance(20) {
            let mut body = self.body();
            let role = self.role(&mut body);
            let value = self.known(&body);
            self.sheet.rule(format!("(goal {role} {value})"), body.conditions);
        }
        self.sources.push(Source::relation("goal", 2));
    }

    fn terminal(&mut self) {
        for _ in 0..=self.random.below(2) {
            let body = self.body();
            self.sheet.rule("terminal", body.conditions);
        }
        self.sources.push(Source::relation("terminal", 0));
    }

    fn moves(&mut self) {
        self.sources.push(Source::relation("does", 2));
        self.sources.push(Source::relation("does", 2));
        let role = ROLES[0];
        self.sources.push(Source { open: format!("(does {role} (go"), close: 2, arity: 1 });
        self.sources.push(Source { open: format!("(does {role} (put"), close: 2, arity: 2 });
    }

    fn next(&mut self) {
        if self.chance(50) {
            let mut body = Body { conditions: vec!["(true ?f)".to_owned()], bound: vec!["?f".to_owned()] };
            self.tests(&mut body);
            self.sheet.rule("(next ?f)", body.conditions);
        }
        if self.chance(40) {
            self.sheet.rule("(next (did ?r ?m))", ["(does ?r ?m)".to_owned()]);
        }
        for (name, arity) in [("cell", 2), ("cell", 2), ("at", 1), ("p", 0), ("q", 0), ("holds", 2), ("control", 1)] {
            if self.chance(60) {
                let body = self.body();
                self.derive(&Source::inside("next", name, arity), body);
            }
        }
    }
}

/// Terms and conditions.
impl Generator {
    fn chance(&mut self, percent: usize) -> bool {
        self.random.below(100) < percent
    }

    fn constant(&mut self) -> String {
        CONSTANTS[self.random.below(CONSTANTS.len())].to_owned()
    }

    /// A constant or a bound variable.
    fn known(&mut self, body: &Body) -> String {
        if body.bound.is_empty() || self.chance(15) {
            return self.constant();
        }
        body.bound[self.random.below(body.bound.len())].clone()
    }

    fn head_args(&mut self, arity: usize, body: &Body) -> Vec<String> {
        let mut arg = |_| match self.random.below(12) {
            0 => format!("(f {})", self.known(body)),
            1 => format!("(g {} {})", self.known(body), self.known(body)),
            _ => self.known(body),
        };
        (0..arity).map(&mut arg).collect()
    }

    /// Conditions in no useful order.
    fn body(&mut self) -> Body {
        let mut body = Body::default();
        for _ in 0..=self.random.below(3) {
            let condition = self.positive(&mut body);
            body.conditions.push(condition);
        }
        self.tests(&mut body);
        if self.chance(20) {
            self.either(&mut body);
        }
        body
    }

    /// A positive condition, which binds its variables.
    fn positive(&mut self, body: &mut Body) -> String {
        let source = self.sources[self.random.below(self.sources.len())].clone();
        let args: Vec<String> = (0..source.arity).map(|_| self.pattern(body)).collect();
        source.with(&args)
    }

    /// An argument of a positive condition.
    fn pattern(&mut self, body: &mut Body) -> String {
        match self.random.below(20) {
            0..=3 => self.constant(),
            4 => format!("(f {})", self.variable(body)),
            5 => format!("(g {} {})", self.variable(body), self.variable(body)),
            _ => self.variable(body),
        }
    }

    fn variable(&mut self, body: &mut Body) -> String {
        let variable = VARIABLES[self.random.below(VARIABLES.len())].to_owned();
        if !body.bound.contains(&variable) {
            body.bound.push(variable.clone());
        }
        variable
    }

    /// Negations, inequalities and equalities, put anywhere.
    fn tests(&mut self, body: &mut Body) {
        while self.chance(35) {
            let test = self.test(body);
            let place = self.random.below(body.conditions.len() + 1);
            body.conditions.insert(place, test);
        }
    }

    fn test(&mut self, body: &Body) -> String {
        let (left, right) = (self.known(body), self.known(body));
        match self.random.below(8) {
            0 | 1 => format!("(distinct {left} {right})"),
            2 => format!("(not (distinct {left} {right}))"),
            3 => format!("(not (distinct (f {left}) {right}))"),
            _ => {
                let source = self.sources[self.random.below(self.sources.len())].clone();
                let args = self.head_args(source.arity, body);
                format!("(not {})", source.with(&args))
            }
        }
    }

    /// A disjunction that binds nothing new, or an equality that binds a variable.
    fn either(&mut self, body: &mut Body) {
        if self.chance(30) {
            let known = self.known(body);
            body.conditions.push(format!("(not (distinct ?e {known}))"));
            body.bound.push("?e".to_owned());
            return;
        }
        let parts: Vec<String> = (0..2).map(|_| if self.chance(50) { self.test(body) } else { self.closed(body) }).collect();
        body.conditions.push(format!("(or {})", parts.join(" ")));
    }

    /// A positive condition about what is known.
    fn closed(&mut self, body: &Body) -> String {
        let source = self.sources[self.random.below(self.sources.len())].clone();
        let args: Vec<String> = (0..source.arity).map(|_| self.known(body)).collect();
        source.with(&args)
    }

    /// A role, by name or as a variable that is bound.
    fn role(&mut self, body: &mut Body) -> String {
        if self.chance(40) {
            return ROLES[0].to_owned();
        }
        let condition = if self.chance(80) { "(role ?r)" } else { "(true (control ?r))" };
        body.conditions.push(condition.to_owned());
        "?r".to_owned()
    }

    fn some_move(&mut self, body: &Body) -> String {
        let (x, y) = (self.known(body), self.known(body));
        match self.random.below(5) {
            0 => format!("(put {x} {y})"),
            1 => format!("(wrap (f {x}))"),
            2 => x,
            _ => format!("(go {x})"),
        }
    }
}
