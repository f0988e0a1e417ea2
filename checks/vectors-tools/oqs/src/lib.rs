//! An empty crate: this package exists only for its dependency.
