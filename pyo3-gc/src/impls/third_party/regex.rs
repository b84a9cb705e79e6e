//! `regex`.

use regex::{CaptureLocations, Error, Regex, RegexBuilder, RegexSet, RegexSetBuilder, SetMatches, bytes};

use crate::leaf;

leaf!(Regex, RegexBuilder, RegexSet, RegexSetBuilder, CaptureLocations, SetMatches, Error);
leaf!(bytes::Regex, bytes::RegexBuilder, bytes::RegexSet, bytes::RegexSetBuilder);
leaf!(bytes::CaptureLocations, bytes::SetMatches);
