//! Published figures: the tables, summaries and picture in the documentation, made from
//! `results/*.json`.

mod picture;
mod summary;
mod tables;
mod tablespec;

pub use tables::run;
