//! The kinds of findings, one code each.

use std::fmt;

use crate::Severity;

macro_rules! codes {
    ($($severity:ident $variant:ident $text:literal $about:literal)*) => {
        /// Which rule of GDL (or of good sense) a finding is about; one code per kind of finding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $about] $variant,)*
        }

        impl Code {
            /// Every code, in the order of this list.
            pub const ALL: &[Code] = &[$(Code::$variant,)*];

            /// The code as it is printed, in kebab case.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $text,)* }
            }

            /// How bad a finding of this kind is.
            pub fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity,)* }
            }

            /// One sentence about this kind of finding.
            pub fn about(self) -> &'static str {
                match self { $(Code::$variant => $about,)* }
            }
        }
    };
}

codes! {
    // The text itself.
    Error TooLarge "too-large" "The text, its statements, the roles or the arguments of a name are more than the limit."
    Error TooDeep "too-deep" "Lists nest deeper than the limit."
    Error UnclosedParenthesis "unclosed-parenthesis" "An opening parenthesis is never closed."
    Error SurplusParenthesis "surplus-parenthesis" "A closing parenthesis has no opening one."
    Error EmptyList "empty-list" "An empty list means nothing in GDL."
    Error ListAsName "list-as-name" "A list begins with a list where a name must stand."
    Error BadStatement "bad-statement" "A statement is neither a fact nor a rule."
    Error BadLiteral "bad-literal" "A condition is not a sentence, or a connective has the wrong number of arguments."
    Error BadVariable "bad-variable" "A variable has no name, or stands where a name must stand."
    Warning UnusualCharacter "unusual-character" "A name has a character other than letters, digits, `_` and `-`, which some players do not read."
    Warning NeedlessParentheses "needless-parentheses" "`(p)` means `p`, but some players take them for two things."
    Warning EmptyBody "empty-body" "A rule without conditions is a fact."
    // Names.
    Error ReservedWord "reserved-word" "A connective's name is used as the name of something else."
    Warning ReservedFunction "reserved-function" "A connective's name is used as a function name."
    Error KeywordFunction "keyword-function" "A keyword is used as a function name."
    Warning KeywordConstant "keyword-constant" "A keyword is used as a constant."
    Error KeywordArity "keyword-arity" "A keyword has the wrong number of arguments."
    Error KeywordHead "keyword-head" "A fact or rule states what only the game's state or moves can state."
    Error KeywordInBody "keyword-in-body" "A condition asks for `init`, `next`, `base` or `input`."
    Error RoleByRule "role-by-rule" "A role is given by a rule; roles must be facts."
    Warning CaseClash "case-clash" "Two names differ in letter case only."
    Warning VariableCase "variable-case" "Two variables of one rule differ in letter case only."
    Warning RelationArity "relation-arity" "A relation is used with different numbers of arguments."
    Warning FunctionArity "function-arity" "A function is used with different numbers of arguments."
    Warning FunctionAndRelation "function-and-relation" "One name is both a function and a relation."
    // Single rules.
    Error NegatedCompound "negated-compound" "Only a sentence can be negated, not `or` or `not`."
    Warning NegatedDistinct "negated-distinct" "`(not (distinct a b))` is read as equality; other players reject it."
    Warning NestedOr "nested-or" "An `or` stands directly inside an `or`."
    Warning EmptyOr "empty-or" "An `or` without alternatives is false."
    Error TooManyExpansions "too-many-expansions" "Taking the `or`s of the rules apart gives more rules than the limit."
    Error VariableInFact "variable-in-fact" "A fact has a variable."
    Error UnsafeVariable "unsafe-variable" "A variable of the head, a `not` or a `distinct` occurs in no positive condition."
    Warning DuplicateRule "duplicate-rule" "The same fact or rule is stated twice."
    Warning GoalValue "goal-value" "A goal value is not a whole number from 0 to 100."
    Warning UnknownRole "unknown-role" "A constant stands for a role and is none."
    // The sheet as a whole.
    Error MissingRelation "missing-relation" "There is no `role`, `legal`, `goal` or `terminal`."
    Warning MissingInit "missing-init" "There is no `init`: the game starts with nothing true."
    Warning UndefinedRelation "undefined-relation" "A relation is asked for and nothing states it, so it is always false."
    Warning UnusedRelation "unused-relation" "A relation is stated and nothing asks for it."
    Error DependsOnState "depends-on-state" "`init`, `base` or `input` depends on the state or on moves."
    Error DependsOnMoves "depends-on-moves" "`legal`, `goal` or `terminal` depends on the moves just chosen."
    Error Unstratified "unstratified" "A rule depends on its own negation."
    Error UnboundedRecursion "unbounded-recursion" "A recursive condition may build ever larger terms."
    // GDL-II, and the list itself.
    Error HiddenInformation "hidden-information" "The sheet states what players see (GDL-II), which is not yet supported."
    Warning RandomRole "random-role" "A role is called `random` (GDL-II), and is treated as an ordinary role."
    Warning TooManyFindings "too-many-findings" "The list of findings is cut at its limit."
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
