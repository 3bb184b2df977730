//! What wasm-bindgen can hand to JavaScript: objects that JavaScript makes, objects that a function gives, and one that goes back into Rust.

use wasm_bindgen::prelude::*;

/// 96 bytes in wasm.
#[wasm_bindgen]
pub struct Counter {
    value: u32,
    rest: [u32; 23],
}

#[wasm_bindgen]
impl Counter {
    #[wasm_bindgen(constructor)]
    pub fn new(from: u32) -> Counter {
        Counter { value: from, rest: [0; 23] }
    }
    pub fn next(&mut self) -> u32 {
        self.rest[0] += 1;
        self.value += 1;
        self.value
    }
}

/// A string of the heap beside its own bytes.
#[wasm_bindgen]
pub struct Label {
    text: String,
}

#[wasm_bindgen]
impl Label {
    pub fn length(&self) -> usize {
        self.text.len()
    }
}

#[wasm_bindgen]
pub fn label_of(text: &str) -> Label {
    Label { text: text.repeat(10) }
}

/// The counter is Rust's from here on.
#[wasm_bindgen]
pub fn consume(counter: Counter) -> u32 {
    counter.value + counter.rest[0]
}
