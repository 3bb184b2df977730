;; Whether `bytes` bytes, a multiple of 64, are the same in a program's memory and in the memory of its copy. same_bytes.ts has it as bytes.
(module
  (import "program" "memory" (memory $program 1))
  (import "kept" "memory" (memory $kept 1))
  (func (export "same") (param $address i32) (param $at i32) (param $bytes i32) (result i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $address) (local.get $bytes)))
    (loop $next
      (if (v128.any_true
            (v128.or
              (v128.or
                (v128.xor (v128.load $program (local.get $address)) (v128.load $kept (local.get $at)))
                (v128.xor (v128.load $program offset=16 (local.get $address)) (v128.load $kept offset=16 (local.get $at))))
              (v128.or
                (v128.xor (v128.load $program offset=32 (local.get $address)) (v128.load $kept offset=32 (local.get $at)))
                (v128.xor (v128.load $program offset=48 (local.get $address)) (v128.load $kept offset=48 (local.get $at))))))
        (then (return (i32.const 0))))
      (local.set $at (i32.add (local.get $at) (i32.const 64)))
      (local.set $address (i32.add (local.get $address) (i32.const 64)))
      (br_if $next (i32.ne (local.get $address) (local.get $end))))
    (i32.const 1)))
