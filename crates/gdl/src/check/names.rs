//! Names that are spelt or used in ways that other players misread.

use crate::check::Sheet;
use crate::diagnostic::Findings;
use crate::syntax::WordId;
use crate::uses::{Kind, Use};
use crate::wording::{legible, plural};
use crate::words::Meaning;
use crate::{Code, Diagnostic};

pub(crate) fn check(sheet: &Sheet<'_>, findings: &mut Findings) {
    unusual_characters(sheet, findings);
    case_clashes(sheet, findings);
    for (word, uses) in sheet.uses.iter() {
        if uses.len() > 1 {
            arities(sheet, word, uses, findings);
        }
    }
}

fn unusual_characters(sheet: &Sheet<'_>, findings: &mut Findings) {
    let usual = |character: char| character.is_ascii_alphanumeric() || character == '_' || character == '-';
    for (index, text) in sheet.syntax.words.iter().enumerate() {
        let word = WordId(index as u32);
        let name = match sheet.words.meaning(word) {
            Meaning::Variable => &text[1..],
            Meaning::Plain => text,
            Meaning::Connective(_) | Meaning::Keyword(_) => continue,
        };
        if let Some(odd) = name.chars().find(|&character| !usual(character)) {
            let (text, odd) = (legible(text), legible(odd.encode_utf8(&mut [0; 4])));
            let message = format!("the name `{text}` has the character `{odd}`, which some players do not read");
            let span = sheet.syntax.firsts[index];
            findings.push(Diagnostic::new(Code::UnusualCharacter, span, message, "unusual name"));
        }
    }
}

/// Why two spellings stay two names: the reference prover and the players that follow it compare names letter by letter, so
/// a sheet with both spellings is played with two names everywhere, and folding them would play another game than the
/// opponents do. Where no two names clash, letter case carries nothing, and moves from the wire are matched without it.
fn case_clashes(sheet: &Sheet<'_>, findings: &mut Findings) {
    for &(first, second) in &sheet.words.clashes {
        let (a, b) = (legible(sheet.syntax.word(first)), legible(sheet.syntax.word(second)));
        let message = format!("`{b}` and `{a}` differ in letter case only and are taken for two different names");
        let span = sheet.syntax.firsts[second.0 as usize];
        let finding = Diagnostic::new(Code::CaseClash, span, message, format!("not the same as `{a}`"));
        findings.push(finding.hint(format!("if they are meant to be the same, write `{a}` everywhere")));
    }
}

fn arities(sheet: &Sheet<'_>, word: WordId, uses: &[Use], findings: &mut Findings) {
    let text = legible(sheet.syntax.word(word));
    if matches!(sheet.words.meaning(word), Meaning::Keyword(_) | Meaning::Connective(_)) {
        return;
    }
    for (kind, noun, code) in
        [(Kind::Relation, "relation", Code::RelationArity), (Kind::Function, "function", Code::FunctionArity)]
    {
        let mut same = uses.iter().filter(|one| one.kind == kind);
        let Some(first) = same.next() else { continue };
        for other in same {
            let count = plural(other.arity, "argument");
            let message = format!("the {noun} `{text}` has {count} here and {} elsewhere", first.arity);
            let finding = Diagnostic::new(code, other.span, message, count);
            findings.push(finding.hint(format!("they are taken for two different {noun}s")));
        }
    }
    let relation = uses.iter().find(|one| one.kind == Kind::Relation);
    let function = uses.iter().find(|one| one.kind == Kind::Function);
    if let (Some(relation), Some(function)) = (relation, function) {
        let message = format!("`{text}` is both a relation and a function");
        let (later, label) =
            if relation.span > function.span { (relation, "a relation here") } else { (function, "a function here") };
        findings.push(Diagnostic::new(Code::FunctionAndRelation, later.span, message, label));
    }
}
