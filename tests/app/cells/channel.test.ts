import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { freshFolder, mixlab, NOTEBOOK, writeNotebook } from '../cli/recorder.ts'

// A cell that patches a prototype gets hold of the channel to the parent, and can send what it likes.
const HOLD = `// %% attack
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

const text = (value) => [0xd9, value.length, ...Buffer.from(value)]
const packed = (value) => {
  if (typeof value === 'string') return text(value)
  if (typeof value === 'number') return [value]
  if (typeof value === 'boolean') return [value ? 0xc3 : 0xc2]
  if (value === null) return [0xc0]
  if (Array.isArray(value)) return [0x90 + value.length, ...value.flatMap(packed)]
  return [0x80 + Object.keys(value).length, ...Object.entries(value).flatMap(([key, each]) => [...text(key), ...packed(each)])]
}
const send = (bytes, length = bytes.length) => {
  const head = Buffer.alloc(4)
  head.writeUInt32LE(length)
  socket.write(Buffer.concat([head, Buffer.from(bytes)]))
}
let last = 0
const ask = async (m, ...a) => {
  const i = 'attack' + ++last + '.'
  send(packed({ t: 'q', i, m, a }))
  await until(() => heard.includes(i))
  console.log(m + ' -> ' + heard.slice(heard.indexOf(i) + i.length).replace(/[^ -~]+/g, ' '))
}
`

/** What the parent answers to calls that a cell makes up, and what it does not do. */
it('the parent answers the calls of a kernel alone, each checked', async () => {
  const folder = freshFolder()
  const workspace = ['--workspace', folder]
  await mixlab(['run', writeNotebook(folder), '--json', '--study', 'tiny', ...workspace])
  const before = (await mixlab(['runs', '--json', ...workspace])).out
  const calls: [string, string][] = [
    ["'archiveRuns', [1], true", 'not found'],
    ["'trainAgain', [1]", 'not found'],
    ["'changeBackend', [1], 'cpu'", 'not found'],
    ["'tagRuns', [1], ['best'], []", 'not found'],
    ["'deleteNotebook', 'tiny.ts'", 'not found'],
    ["'writeNotebook', 'tiny.ts', 'mine', null", 'not found'],
    ["'readNotebook', 'tiny.ts'", 'not found'],
    ["'querySql', 'select 1'", 'not found'],
    ["'allowData', '/'", 'not found'],
    ["'close'", 'not found'],
    ["'toString'", 'not found'],
    ["'constructor'", 'not found'],
    ["'read', '/etc/passwd'", 'lies outside'],
    ["'read', '../../etc/passwd'", 'lies outside'],
    ["'list', '/'", 'lies outside'],
    ["'read', '.mixlab/mixlab.db'", 'cannot be read as data'],
    ["'read', 7", 'read.path'],
    ["'read', 'a', 1, 2, 3", 'at most 3'],
    ["'beginRun', {}", 'beginRun.run'],
    ["'record', 'x', []", 'record.id'],
    ["'print', { toString: 'x' }", 'print.line'],
    ["'startPlace', 1, 'simd'", 'of 1'],
    ["'toPlace', 1, 'x'", 'toPlace.message'],
    ["'fromJob', 'x'", 'fromJob.message'],
  ]
  const asked = calls.map(([call]) => `await ask(${call})`).join('\n')
  const text = `${HOLD}\n${asked}\n${NOTEBOOK.replace('seeds: 2', 'seeds: 1')}`
  const { err, code } = await mixlab(['run', writeNotebook(folder, text), ...workspace])
  const answers = err.filter((line) => line.includes(' -> '))
  expect(answers).toHaveLength(calls.length)
  for (const [i, [call, answer]] of calls.entries()) expect(answers[i], call).toMatch(answer)
  expect((await mixlab(['runs', '--json', ...workspace])).out).toEqual(before)
  expect(readdirSync(folder).sort()).toEqual(['.mixlab', 'tiny.ts'])
  expect(code).toBe(0)
})

it.each([
  ['a length that nothing has', 'send([1], 0xffffffff)', 'it sent a message of 4294967295 bytes'],
  ['bytes that are no message', 'send([0xc1, 0xc1])', 'it sent '],
  ['a key that reaches a prototype', "send(packed({ t: 'q', m: 'print', ['__proto__']: 'x' }))", 'it sent '],
  ['nothing in place of a message', 'send([0xc0])', 'it sent '],
])('%s ends the process that sends it', async (_, code, why) => {
  const folder = freshFolder()
  const text = `${HOLD}\n${code}\nawait new Promise(() => setTimeout(() => {}, 1e6))\n`
  const { err, code: exit } = await mixlab(['run', writeNotebook(folder, text), '--workspace', folder])
  expect(exit).toBe(1)
  expect(err.at(-1)).toContain(`mixlab: the process in which the cells run has ended: ${why}`)
})
