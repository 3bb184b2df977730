-- Indexes, then queries that sort, join, group, cut text and count; changes; an index dropped; most rows deleted.
create index person_name on person(name);
create index person_city_born on person(city, born);
select count(*), sum(born), sum(length(name)), sum(length(note)) from person;
select c.name, count(*), min(p.born), max(p.name) from person p join city c on c.id = p.city group by c.name order by count(*) desc, c.name limit 5;
select name, born from person order by note desc, born, name limit 5;
select substr(note, 1, 1) as letter, count(distinct city), group_concat(distinct born % 10) is not null from person group by letter order by letter limit 5;
update person set note = note || ' seen ' || name where born % 3 = 0;
update person set name = upper(name) where city < 100;
select count(*), sum(length(note)) from person where name > 'PERSON 5' and name < 'PERSON 9';
with recursive walk(i, city, hops) as (
  select 1, 1, 0 union all
  select i + 1, (city * 31 + (select count(*) from person where city = walk.city and born = 1900 + walk.i % 120)) % 500, hops + 1
  from walk where i < 3000)
select sum(city), max(hops) from walk;
create table summary as select city, born, count(*) as people, group_concat(name, ';') as names from person group by city, born;
select count(*), sum(people), sum(length(names)) from summary;
select sum(length(json)) from (select json_group_array(json_object('name', name, 'born', born, 'note', substr(note, 1, 20))) as json from person group by city);
drop index person_name;
delete from person where id % 10 <> 0;
select count(*), sum(length(note)) from person;
insert into person(name, city, born, note) select names, city, born, people from summary where born % 4 = 0;
select count(*), sum(length(name)) from person;
drop table summary;
vacuum;
select count(*), max(length(name)) from person;
