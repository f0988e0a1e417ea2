//! The three functions that WebAssembly exports, and the two buffers behind them. No code here is
//! unsafe: the caller, which is the page, reads and writes its own copy of the memory.

use std::cell::RefCell;

use crate::State;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = RefCell::default();
    static OUTPUT: RefCell<Vec<u8>> = RefCell::default();
    static STATE: RefCell<State> = RefCell::default();
}

/// Returns the place for a question of `length` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn hasten_input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        *input = vec![0; length];
        input.as_mut_ptr()
    })
}

/// Answers the question, and returns the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn hasten_answer() -> usize {
    let question = INPUT.take();
    let answer = STATE.with_borrow_mut(|state| crate::answer(state, &question));
    let length = answer.len();
    OUTPUT.set(answer);
    length
}

/// Returns the place of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn hasten_output() -> *const u8 {
    OUTPUT.with_borrow(|output| output.as_ptr())
}
