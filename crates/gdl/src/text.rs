//! Terms that others keep in tables, as text.

/// A term as a sheet writes it, no more than about `most` bytes of it. `parts` tells the name of a term and its arguments. Rules and play can nest terms deeper than any stack of ours,
/// so this one is explicit.
pub fn term_text<'t>(term: u32, most: usize, parts: impl Fn(u32) -> (&'t str, &'t [u32])) -> String {
    let mut text = String::new();
    let mut open = vec![(term, 0)];
    while let Some((term, next)) = open.pop() {
        if text.len() > most {
            return text + "...";
        }
        let (name, args) = parts(term);
        if next == 0 {
            text.push_str(if args.is_empty() { "" } else { "(" });
            text.push_str(name);
        }
        if let Some(&arg) = args.get(next) {
            text.push(' ');
            open.extend([(term, next + 1), (arg, 0)]);
        } else if !args.is_empty() {
            text.push(')');
        }
    }
    text
}
