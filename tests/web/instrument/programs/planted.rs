// The same in Rust: a leak, a temporary and a peak, at lines that the test knows by their comments.

struct Entry {
    name: String,
    notes: &'static [u8],
}

fn add_entry(entries: &mut Vec<Entry>, number: usize) {
    let notes = Box::leak(vec![number as u8; 200].into_boxed_slice()); // leak
    entries.push(Entry { name: format!("entry number {number} of many"), notes });
}

fn check_entry(entry: &Entry) -> usize {
    let letters: Vec<char> = entry.name.chars().collect(); // temporary
    letters.len() + entry.notes[0] as usize
}

fn sort_all() -> usize {
    let mut numbers = vec![0u32; 100_000]; // peak
    for (at, number) in numbers.iter_mut().enumerate() {
        *number = (at as u32).wrapping_mul(7919) % 100_003;
    }
    numbers.sort_unstable();
    numbers[50_000] as usize
}

#[no_mangle]
pub extern "C" fn run(count: usize) -> usize {
    let mut entries = Vec::new();
    for number in 0..count {
        add_entry(&mut entries, number);
    }
    let checked: usize = entries.iter().map(check_entry).sum();
    checked + sort_all()
}
