//! The description of a core, its parameters and the files that the flow keeps.

pub mod cores;
pub mod fusesoc;
pub mod generated;
pub mod head;
pub mod kept;
pub mod options;
pub mod results;
pub mod row;
pub mod tool;
