/** A call that a cell makes up, and what the parent has to answer. */
export type Attack = [call: string, given: unknown[], answer: string]

/** A cell that patches a prototype, gets hold of the channel to the parent by that, and can \`send\` what it likes. */
export const HOLD = `// %% attack
const Emitter = Object.getPrototypeOf(Object.getPrototypeOf(process))
const { emit } = Emitter
let socket = null
let heard = ''
Emitter.emit = function (name, ...given) {
  if (name === 'data') {
    socket = this
    heard += given[0].toString('latin1')
  }
  return emit.call(this, name, ...given)
}
const until = async (done) => { while (!done()) await new Promise((next) => setTimeout(next, 5)) }
console.log('answer me')
await until(() => socket)

const sized = (tag, { length }) => [tag, length >> 8, length & 255]
const float = (value) => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return [0xcb, ...bytes]
}
const packed = (value) => {
  if (typeof value === 'string') return [...sized(0xda, Buffer.from(value)), ...Buffer.from(value)]
  if (typeof value === 'number') return float(value)
  if (typeof value === 'boolean') return [value ? 0xc3 : 0xc2]
  if (value === null) return [0xc0]
  if (Array.isArray(value)) return [...sized(0xdc, value), ...value.flatMap(packed)]
  const entries = Object.entries(value)
  return [...sized(0xde, entries), ...entries.flat().flatMap(packed)]
}
const send = (bytes, length = bytes.length) => {
  const head = Buffer.alloc(4)
  head.writeUInt32LE(length)
  socket.write(Buffer.concat([head, Buffer.from(bytes)]))
}
let last = 0
const ask = async (m, a) => {
  const i = 'attack' + ++last + '.'
  send(packed({ t: 'q', i, m, a }))
  await until(() => heard.includes(i))
  console.log(m + ' -> ' + heard.slice(heard.indexOf(i) + i.length).replace(/[^ -~]+/g, ' '))
}
`

/** A cell that makes calls, one after the other. */
export const attackBy = (attacks: readonly Attack[]): string =>
  HOLD + attacks.map(([call, given]) => `await ask('${call}', ${JSON.stringify(given)})\n`).join('')

/** The answers to the calls of such a cell, among the lines that were shown. */
export const answersIn = (lines: readonly string[]): string[] => lines.filter((line) => line.includes(' -> '))
