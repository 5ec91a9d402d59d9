// The operands of a call; see calls.ts.

/** Where the next operand of the call is that this thread makes: each thread has globals of its own. */
let next: usize = 0

/** Begins to read a call, with the number of its kernel. */
export function start(call: usize): i32 {
  next = call
  return i()
}

/** The next operand, a float. */
export function f(): f64 {
  const operand = load<f64>(next)
  next += 8
  return operand
}

/** The next operand, an address, size, flag or 32 bits of any meaning. */
export function i(): i32 {
  return <i32>(<i64>f())
}
