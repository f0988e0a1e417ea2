//! Published figures: tables, summaries and the picture of pages, made from `results/*.json`.

mod picture;
mod summary;
mod tables;
mod tablespec;

pub use tables::run;
