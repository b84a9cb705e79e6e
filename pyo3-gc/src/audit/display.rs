//! The report for people.

use std::fmt::{self, Display, Formatter};

use super::report::{
    Allowed, Evidence, Fault, Findings, Held, Holder, OverVisited, Report, TypeVisits, Unexplained, Unsteady,
    Visitor,
};

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { objects, references, visits, .. } = self;
        write!(f, "gc audit: {objects} objects, {references} references, {visits} visits: ")?;
        match self.findings() {
            0 => writeln!(f, "no findings")?,
            1 => writeln!(f, "1 finding")?,
            findings => writeln!(f, "{findings} findings")?,
        }
        section(
            f,
            "over-visited",
            "the collector may destroy these while they are in use",
            &self.over_visited,
        )?;
        section(f, "unsteady", "the traverse of these types breaks the collector's rules", &self.unsteady)?;
        section(
            f,
            "type visits",
            "instances visit their type as often as they own a reference to it",
            &self.type_visits,
        )?;
        section(
            f,
            "holders",
            "what these hold and don't visit leaks when it leads back to them",
            &self.holders,
        )?;
        section(
            f,
            "unexplained",
            "referred to by what no traverse shows: running code, or a leak",
            &self.unexplained,
        )?;
        for allowed in &self.allowed {
            writeln!(f, "{allowed}")?;
        }
        if self.frozen > 0 {
            writeln!(f, "{} objects are frozen, and weren't looked at", self.frozen)?;
        }
        Ok(())
    }
}

fn section<T: Display>(
    f: &mut Formatter<'_>,
    name: &str,
    meaning: &str,
    findings: &Findings<T>,
) -> fmt::Result {
    if findings.total == 0 {
        return Ok(());
    }
    writeln!(f, "\n{name}: {} ({meaning})", findings.total)?;
    for finding in &findings.listed {
        writeln!(f, "  {finding}")?;
    }
    match findings.total - findings.listed.len() {
        0 => Ok(()),
        more => writeln!(f, "  … and {more} more"),
    }
}

/// `1 visit`, `2 visits`.
struct Number(usize, &'static str);

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(number, what) = self;
        write!(f, "{number} {what}{}", if *number == 1 { "" } else { "s" })
    }
}

impl Display for OverVisited {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.class_name {
            Some(class) => write!(f, "the class {class}")?,
            None => write!(f, "{}", self.type_name)?,
        }
        let (references, visits) = (Number(self.references, "reference"), Number(self.visits, "visit"));
        write!(f, " at {:#x}: {references}, {visits}", self.address)?;
        for Visitor { type_name, objects, visits } in &self.visitors {
            write!(f, "\n    {} by {type_name}", Number(*visits, "visit"))?;
            if *objects > 1 {
                write!(f, " ({objects} objects)")?;
            }
        }
        Ok(())
    }
}

impl Display for Unsteady {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { type_name, objects, address, fault } = self;
        write!(f, "{type_name}, {}, the first at {address:#x}: ", Number(*objects, "object"))?;
        match fault {
            Fault::Failed => write!(f, "traverse fails by itself"),
            Fault::Answers { first, second } => {
                write!(f, "two calls of traverse in a row differ: {}, then {second}", Number(*first, "visit"))
            }
            Fault::References { of } => write!(f, "traverse changes the reference count of {of}"),
        }
    }
}

impl Display for TypeVisits {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { type_name, objects, expected, visits } = self;
        let objects = Number(*objects, "object");
        write!(
            f,
            "{type_name}, {objects}: {} of the type, where {expected} is right",
            Number(*visits, "visit")
        )
    }
}

impl Display for Holder {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { type_name, tracked, objects, held, evidence } = self;
        write!(f, "{type_name}, {}", Number(*objects, "object"))?;
        if !tracked {
            write!(f, ", not tracked")?;
        }
        write!(
            f,
            "{}",
            match evidence {
                Evidence::Memory => ": holds",
                Evidence::Reaches => ": may hold, since it is reached from there and shows nothing,",
            }
        )?;
        for (at, Held { type_name, references }) in held.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(f, "{comma} {} to {type_name}", Number(*references, "reference"))?;
        }
        Ok(())
    }
}

impl Display for Unexplained {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { type_name, objects, references, address } = self;
        let (objects, references) = (Number(*objects, "object"), Number(*references, "reference"));
        write!(f, "{type_name}, {objects}, the first at {address:#x}: {references} that nobody visits")
    }
}

impl Display for Allowed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { pattern, reason, findings } = self;
        match findings {
            0 => write!(f, "allowed, but not found: {pattern} ({reason})"),
            _ => write!(f, "allowed: {} about {pattern} ({reason})", Number(*findings, "finding")),
        }
    }
}
