//! Pictures: timing diagrams, block diagrams and plots, as SVG; and tables of ports.

pub mod blocks;
pub mod diagrams;
pub mod ports;
pub mod svg;
pub mod wavejson;
