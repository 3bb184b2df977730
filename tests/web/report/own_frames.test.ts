import { expect, test } from 'vitest';
import { ownFrames, shortFrame, stackText } from '../../../web/src/report/own_frames.ts';

test('a stack is shown from the first frame of the program itself', () => {
  const stack = [
    'operator new(unsigned long)@system/lib/libcxx/src/new.cpp:67',
    '_ZNSt3__221__libcpp_operator_newIJmEEEPvDpT_@/usr/share/emscripten/cache/sysroot/include/c++/v1/new:241',
    'std::__2::vector<int>::vector(unsigned long)@/usr/share/emscripten/cache/sysroot/include/c++/v1/vector:1102',
    'sort_all()@/home/me/src/planted.cpp:28',
    'run@/home/me/src/planted.cpp:39',
    'std::function<void ()>::operator()() const',
    'main',
  ];
  expect(stackText(stack)).toBe(
    'sort_all()@planted.cpp:28 < run@planted.cpp:39 < std::function<void ()>::operator()() const < ...',
  );
  expect(ownFrames(stack.slice(0, 3))).toEqual(stack.slice(0, 3));
  const rust = [
    'alloc::raw_vec::finish_grow@/rustc/0a1b/library/alloc/src/raw_vec.rs:5',
    '<app::Parser as Trait>::feed@src/lib.rs:7',
  ];
  expect(ownFrames(rust)).toEqual([rust[1]]);
});

test('a long name is cut', () => {
  expect(shortFrame(`${'x'.repeat(100)}@a/b.cpp:3`)).toBe(`${'x'.repeat(69)}...@b.cpp:3`);
});
