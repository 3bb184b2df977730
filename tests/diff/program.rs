// A program that answers requests, with one of six regressions planted (0: none), as program.cpp:  run(seed)

const REGRESSION: u32 = 0; // real.ts replaces it

const fn planted(n: u32) -> bool {
    REGRESSION == n
}

struct Random(u32);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(1664525).wrapping_add(1013904223);
        ((self.0 as u64 * limit as u64) >> 32) as usize
    }
}

struct Row {
    name: String,
    cells: Vec<u32>,
}

fn parse_row(random: &mut Random) -> Row {
    let name = format!("row {} of a table with so many", random.below(1000));
    let count = 4 + random.below(8);
    let mut cells = Vec::with_capacity(if planted(1) { 4 * count } else { count });
    cells.extend((0..count as u32).map(|cell| cell * 3));
    Row { name, cells }
}

fn parse_table(random: &mut Random) -> Vec<Row> {
    let count = 4 + random.below(12);
    let mut rows: Vec<Row> = Vec::with_capacity(count);
    for _ in 0..count {
        rows.push(parse_row(random));
    }
    rows
}

fn index_names(rows: &[Row]) -> Vec<String> {
    let names: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
    if planted(2) {
        return names.iter().map(|name| name.clone()).collect(); // twice
    }
    names
}

fn remember(history: &mut Vec<Box<[u8]>>, random: &mut Random) {
    let kept = if planted(3) { 400 } else { 100 };
    let bytes = 64 + random.below(200);
    if history.len() == kept {
        history.remove(0);
    }
    history.push(vec![1u8; bytes].into_boxed_slice());
}

fn log_line(random: &mut Random) -> usize {
    let line = "x".repeat(40 + random.below(80) + if planted(4) { 300 } else { 0 });
    line.len()
}

fn open_session(sessions: &mut [Option<Box<[u8; 320]>>], user: usize, random: &mut Random) {
    if let Some(session) = sessions[user].take() {
        if random.below(10) == 0 && planted(5) {
            Box::leak(session);
        } else if random.below(10) != 0 {
            sessions[user] = Some(session);
            return;
        }
    }
    sessions[user] = Some(Box::new([7; 320]));
}

fn render(rows: &[Row]) -> usize {
    let mut page = String::with_capacity(4096);
    for row in rows {
        page.push_str(&row.name);
        if planted(6) {
            page.push_str(&row.name.to_uppercase()); // a temporary for each
        }
    }
    page.len()
}

#[no_mangle]
pub extern "C" fn run(seed: u32) -> usize {
    let mut random = Random(seed.wrapping_mul(2654435761).wrapping_add(1));
    let mut history: Vec<Box<[u8]>> = Vec::new();
    let mut sessions: Vec<Option<Box<[u8; 320]>>> = (0..50).map(|_| None).collect();
    let mut done = 0;
    for _ in 0..1500 {
        let user = random.below(50);
        open_session(&mut sessions, user, &mut random);
        let rows = parse_table(&mut random);
        done += index_names(&rows).len() + render(&rows) + rows.iter().map(|row| row.cells.len()).sum::<usize>();
        remember(&mut history, &mut random);
        for _ in 0..3 {
            done += log_line(&mut random);
        }
    }
    std::mem::forget(history);
    std::mem::forget(sessions);
    done
}
