//! How long from message to verified, where the time goes, and which choice is best.
//!
//! | part | what it is |
//! |---|---|
//! | [`Recorder`] | kernels that keep every compression: the code that is analysed is the code that runs |
//! | [`Request`], [`Trace`] | one operation of one parameter set, recorded and linked |
//! | [`calls::tree`] | the enhanced call graph: functions, calls, compressions, batches, bytes |
//! | [`Graph`] | compressions and what each needs; work, critical path, profile |
//! | [`schedule`] | the graph on P units, or on W lanes |
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
pub mod draw;
mod function;
mod graph;
mod link;
mod operation;
mod record;
pub mod schedule;
mod trace;

pub use function::{Function, Place};
pub use graph::{Graph, Independence, Node, Share};
pub use operation::{Digest, Operation, Request};
pub use record::{Recorder, Step};
pub use trace::{Depends, Source, Trace};
