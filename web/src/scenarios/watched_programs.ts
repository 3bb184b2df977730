// Real programs as scenarios: a database or a language of other makers, whose malloc is heapglass's. The scenario runs a few texts of
// its own; then the visitor types the next ones.
//
//   W1  A chapter is one text, and every text is also an example.
//   W2  The same texts give the same events: the programs have no clock and no files (watched_program.h).

import { progressOf } from './moves.ts';
import type { Scenario, WatchedProgram } from './scenario.ts';

interface Example {
  readonly title: string;
  readonly text: string;
}

interface Watched {
  readonly program: WatchedProgram;
  readonly title: string;
  readonly summary: string;
  readonly language: string;
  readonly about: string;
  /** The scenario's, in its order. */
  readonly played: readonly Example[];
  readonly others: readonly Example[];
}

function watchedProgram({ program, title, summary, language, about, played, others }: Watched): Scenario {
  return {
    info: {
      id: program,
      title,
      summary,
      chapters: played.map((example) => example.title),
      experiment: undefined,
      program: { language, about, examples: [...played, ...others] },
    },
    program,
    *run({ texts }) {
      if (texts === undefined) throw new Error('the module runs no texts');
      const progress = progressOf(played.length);
      texts.begin();
      for (const [chapter, { text }] of played.entries()) {
        yield progress.begin(chapter);
        for (const share of texts.run(text)) yield { ...progress.within(share), rest: true };
      }
    },
  };
}

const kPeople = `create table person(id integer primary key, name text, city int, note text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000)
insert into person
  select i, 'person ' || (i * 7919 % 100003), i * 31 % 500,
         substr('a note of some length, cut somewhere', 1, i % 37)
  from n;`;

const sqlite = watchedProgram({
  program: 'sqlite',
  title: 'SQLite: type SQL',
  summary: 'A database in memory: every page of a table is a block of malloc. Type a statement and see what it does.',
  language: 'SQL',
  about:
    'SQLite on heapglass’s malloc, one database in memory. Pages of 4 KiB, statements, sorting: all of it is in the map.',
  played: [
    { title: 'A table of 10,000 rows', text: kPeople },
    { title: 'An index on the names', text: 'create index person_name on person(name);' },
    { title: 'Every second row is deleted', text: 'delete from person where id % 2 = 0;' },
    { title: 'Vacuum: the tables are written anew', text: 'vacuum;' },
  ],
  others: [
    {
      title: 'A query that sorts and groups',
      text: `select city, count(*) as people, min(name) as first, max(length(note)) as longest
from person group by city order by people desc, city limit 20;`,
    },
    {
      title: 'A table of blobs, 100 KB each',
      text: `create table if not exists picture(id integer primary key, bytes blob);
insert into picture(bytes) values (zeroblob(100000)), (zeroblob(100000)), (zeroblob(100000));
select id, length(bytes) from picture;`,
    },
    {
      title: 'One document of all rows, as JSON',
      text: `select length(document) as characters from (
  select json_group_array(json_object('name', name, 'city', city, 'note', note)) as document from person);`,
    },
    { title: 'Drop everything', text: 'drop table if exists picture;\ndrop table if exists person;\nvacuum;' },
    { title: 'What SQLite says of its memory', text: 'pragma page_count;\npragma freelist_count;' },
  ],
});

const lua = watchedProgram({
  program: 'lua',
  title: 'Lua: type a script',
  summary: 'Tables, strings and closures as blocks of malloc; the garbage collector frees them before your eyes.',
  language: 'Lua',
  about:
    'Lua 5.4 on heapglass’s malloc: one state for all that you type. Each table, string and closure is a block or two.',
  played: [
    {
      title: 'Two thousand small tables',
      text: `people = {}
for i = 1, 2000 do
  people[i] = { name = "person " .. i, city = i % 50, seen = { i, i + 1 } }
end
print(#people, "tables,", collectgarbage("count") // 1, "KB")`,
    },
    {
      title: 'Strings that are soon forgotten',
      text: `local parts = {}
for i = 1, 3000 do
  parts[#parts + 1] = ("line %d: %s"):format(i, ("x"):rep(i % 40))
end
print(#table.concat(parts, "\\n"), "characters")`,
    },
    {
      title: 'Nine of ten tables go, and the collector runs',
      text: `for i = 1, #people do if i % 10 ~= 0 then people[i] = false end end
collectgarbage()
print(collectgarbage("count") // 1, "KB left")`,
    },
  ],
  others: [
    {
      title: 'One table that doubles',
      text: `list = {}
for i = 1, 100000 do list[i] = i end
print(#list, collectgarbage("count") // 1, "KB")`,
    },
    {
      title: 'Closures and coroutines',
      text: `workers = {}
for i = 1, 200 do
  workers[i] = coroutine.create(function(n) while true do n = coroutine.yield(n * 2) end end)
  coroutine.resume(workers[i], i)
end
print(coroutine.resume(workers[7], 21))`,
    },
    { title: 'An error, and what is left of it', text: 'local t = nil\nprint(t.name)' },
    {
      title: 'Forget everything',
      text: 'people, list, workers = nil, nil, nil\ncollectgarbage()\nreturn collectgarbage("count")',
    },
  ],
});

const quickjs = watchedProgram({
  program: 'quickjs',
  title: 'JavaScript in QuickJS: type a script',
  summary: 'A small JavaScript engine in wasm: objects, shapes and strings as blocks of malloc, counted references.',
  language: 'JavaScript',
  about:
    'QuickJS on heapglass’s malloc: one context for all that you type; print() writes. Small blocks come from QuickJS’s own arena.',
  played: [
    {
      title: 'A thousand objects in a map',
      text: `var people = new Map();
for (let i = 0; i < 1000; i++) people.set("person " + i, { id: i, tags: ["a", "b" + i], city: i % 50 });
people.size`,
    },
    {
      title: 'A document written and read',
      text: `var text = JSON.stringify([...people.values()]);
var copy = JSON.parse(text);
print(text.length, "characters,", copy.length, "objects");`,
    },
    {
      title: 'Forgotten: counted references free at once',
      text: 'people.clear(); copy = undefined; text = undefined;',
    },
  ],
  others: [
    {
      title: 'Typed arrays, 64 KB each',
      text: `var arrays = Array.from({ length: 16 }, (_, i) => new Uint8Array(65536).fill(i));
arrays.reduce((sum, array) => sum + array[1], 0)`,
    },
    {
      title: 'A ring of objects, which only a collection frees',
      text: `for (let i = 0; i < 500; i++) { const a = { i }; const b = { a }; a.b = b; }
"500 rings"`,
    },
    { title: 'An error', text: 'undefined.name' },
  ],
});

export const kWatchedScenarios = [sqlite, lua, quickjs] as const;
