//! A lock around the key's public nodes, shared by the signer and its unfinished signatures.

#[cfg(feature = "std")]
mod lock {
    use std::sync::{Arc, Mutex, PoisonError};

    /// A value with several holders. Only one of them can use it at a time.
    pub struct Shared<T: ?Sized>(Arc<Mutex<T>>);

    impl<T> Shared<T> {
        pub fn new(value: T) -> Self {
            Self(Arc::new(Mutex::new(value)))
        }

        /// Runs `f` on the value.
        pub fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
            f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
        }
    }

    impl<T: ?Sized> Clone for Shared<T> {
        fn clone(&self) -> Self {
            Self(self.0.clone())
        }
    }
}

#[cfg(not(feature = "std"))]
mod lock {
    use alloc::rc::Rc;
    use core::cell::RefCell;

    /// A value with several holders in one thread.
    pub struct Shared<T: ?Sized>(Rc<RefCell<T>>);

    impl<T> Shared<T> {
        pub fn new(value: T) -> Self {
            Self(Rc::new(RefCell::new(value)))
        }

        /// Runs `f` on the value.
        pub fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
            f(&mut self.0.borrow_mut())
        }
    }

    impl<T: ?Sized> Clone for Shared<T> {
        fn clone(&self) -> Self {
            Self(self.0.clone())
        }
    }
}

pub use lock::Shared;
