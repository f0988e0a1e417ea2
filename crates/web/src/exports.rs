//! The three functions exported to WebAssembly, and their two buffers. No code here is unsafe: the
//! caller, which is the page, reads and writes its own copy of the memory.

use std::cell::RefCell;

use crate::State;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = RefCell::default();
    static OUTPUT: RefCell<Vec<u8>> = RefCell::default();
    static STATE: RefCell<State> = RefCell::default();
}

/// Allocates the input buffer for a question of `length` bytes and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn hasten_input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        *input = vec![0; length];
        input.as_mut_ptr()
    })
}

/// Answers the question in the input buffer, and returns the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn hasten_answer() -> usize {
    let question = INPUT.take();
    let answer = STATE.with_borrow_mut(|state| crate::answer(state, &question));
    let length = answer.len();
    OUTPUT.set(answer);
    length
}

/// Returns the address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn hasten_output() -> *const u8 {
    OUTPUT.with_borrow(|output| output.as_ptr())
}
