//! Pictures: timing diagrams, block diagrams and plots, as SVG.

pub mod blocks;
pub mod diagrams;
pub mod svg;
pub mod wavejson;
