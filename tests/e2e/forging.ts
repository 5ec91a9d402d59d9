import { encode } from '@msgpack/msgpack'

/** A call of the page as a kernel makes it; the answer is found by `id`. */
export interface ForgedCall {
  id: string
  name: string
  given: unknown[]
}

/**
 * Code of a cell that posts calls to the page as its kernel does: it puts their messages in place of those with which the
 * kernel prints its lines, for it has no `postMessage` itself. Waits for all answers; `answerTo(id)` gives the text of one.
 */
export function forging(calls: ForgedCall[]): string {
  const messages = calls.map(({ id, name, given }) => [...encode({ t: 'q', i: `<${id}>`, m: name, a: given })])
  return `const messages = ${JSON.stringify(messages)}
const ids = ${JSON.stringify(calls.map(({ id }) => id))}
const textOf = (bytes) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
const answers = []
addEventListener('message', ({ data }) => answers.push(textOf(data)))
const answerTo = (id) => answers.find((text) => text.includes('<' + id + '>'))
const typed = Object.getPrototypeOf(Uint8Array.prototype)
const { subarray } = typed
let forged = null
typed.subarray = function (...range) {
  const message = subarray.apply(this, range)
  if (!forged || !textOf(message).includes('print')) return message
  const sent = Uint8Array.from(forged)
  forged = null
  return sent
}
let clock = 0
performance.now = () => (clock += 1000) // lines are sent together, unless time has passed
for (const message of messages) {
  forged = message
  while (forged) console.log('a line')
}
delete performance.now
typed.subarray = subarray
while (ids.some((id) => !answerTo(id))) await new Promise((go) => setTimeout(go, 10))
`
}
