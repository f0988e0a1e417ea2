//! Model of the latency from message to verdict: how long it is, where the time goes, and which
//! choice is best.
//!
//! | part | what it is |
//! |---|---|
//! | [`Recorder`] | kernels that record every compression: the analysed code is the code run |
//! | [`Request`], [`Trace`] | one operation of one parameter set, recorded and linked |
//! | [`calls::tree`] | the enhanced call graph: functions, calls, compressions, batches, bytes |
//! | [`Graph`] | compressions and their dependencies; work, critical path, profile |
//! | [`Request::subtrees`] | trees that are too tall to record, counted by their shape |
//! | [`schedule`] | the graph on P units, or on W lanes |
//! | [`explore`] | all choices of set, machine, link and schedule; those not dominated, the best |
//! | [`study`] | a search described by a file, and its defaults |
//! | [`sessions`] | the set, level, height and pool of a channel's session trees, for a budget |
//! | [`costs`] | the costs of a backend's calls, and operation times predicted from them |
//! | [`Case`] | latency from message to verdict: sequential, streamed, sent ahead; lower bounds |
//!
//! ```
//! use hasten_hbs::{Set, SignerLevel};
//! use hasten_model::{Operation, Request, schedule};
//!
//! let set = Set::named("XMSS-SHA2_10_256")?;
//! let request = Request::new(set, Operation::Sign(SignerLevel::Masks)).message(32);
//! let graph = request.record()?.graph();
//! // One compression of the message hash, then chains of at most 15 steps.
//! assert_eq!(graph.critical_path(), 16);
//! assert!(schedule::units(&graph, 8) < schedule::units(&graph, 1));
//! # Ok::<(), hasten_hbs::Error>(())
//! ```

pub mod calls;
pub mod costs;
mod counted;
pub mod draw;
pub mod ethernet;
pub mod explore;
mod function;
mod graph;
mod latency;
mod link;
pub mod machines;
mod operation;
pub mod profile;
pub mod rate;
mod record;
pub mod schedule;
pub mod sessions;
mod source;
pub mod study;
mod trace;

pub use function::{Function, Place};
pub use graph::{Graph, Independence, Node, Share};
pub use latency::{Bounds, Case, Delivery, Latency, Link, Spans, Units};
pub use operation::{Digest, Head, Operation, Request};
pub use rate::Rate;
pub use record::{Recorder, Step};
pub use source::{Depends, Source};
pub use trace::Trace;
