//! From the list of the kinds of findings: the enums, and how to ask a report for one kind.

/// `Type: key, "title", "meaning";` for each kind makes
///
/// ```text
/// pub enum Kind { Type, … }               impl Kind { ALL, title, meaning, key }
/// pub enum Finding { Type(Type), … }      impl Finding { kind }, Display, From<Type>
/// impl Report { pub fn key(&self) -> impl Iterator<Item = &Type> … }
/// ```
macro_rules! kinds {
    ($($finding:ident: $key:ident, $title:literal, $meaning:literal;)*) => {
        /// The kinds of findings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Kind {
            $(#[doc = concat!("See [`", stringify!($finding), "`].")] $finding,)*
        }

        impl Kind {
            /// All of them, in the order in which a report has them.
            pub const ALL: &[Self] = &[$(Self::$finding),*];

            /// What it is called in text.
            #[must_use]
            pub fn title(self) -> &'static str {
                match self { $(Self::$finding => $title),* }
            }

            /// What it means for the program.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$finding => $meaning),* }
            }

            /// What it is called in data.
            #[must_use]
            pub fn key(self) -> &'static str {
                match self { $(Self::$finding => stringify!($key)),* }
            }
        }

        /// What an audit found.
        ///
        /// `Display` writes it for people.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
        #[non_exhaustive]
        pub enum Finding {
            $(#[doc = concat!("See [`", stringify!($finding), "`].")] $finding($finding),)*
        }

        impl Finding {
            /// Its kind.
            #[must_use]
            pub fn kind(&self) -> Kind {
                match self { $(Self::$finding(_) => Kind::$finding),* }
            }
        }

        impl Display for Finding {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                match self { $(Self::$finding(finding) => finding.fmt(f)),* }
            }
        }

        $(impl From<$finding> for Finding {
            fn from(finding: $finding) -> Self {
                Self::$finding(finding)
            }
        })*

        /// The findings of one kind that are listed.
        impl super::Report {
            $(#[doc = concat!("Each [`", stringify!($finding), "`].")]
            pub fn $key(&self) -> impl Iterator<Item = &$finding> {
                self.findings.iter().filter_map(|finding| match finding {
                    Finding::$finding(finding) => Some(finding),
                    _ => None,
                })
            })*
        }
    };
}

pub(super) use kinds;
