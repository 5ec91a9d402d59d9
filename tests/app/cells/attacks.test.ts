import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { rights } from '../../../app/cells/spawn.ts'
import { freshFolder, mixlab, writeNotebook } from '../cli/recorder.ts'
import { ATTACKS, attacking, BY_DOORS, ONCE, type Scene, scriptOf } from './attacks.ts'

const from = vi.hoisted(() => ({ sources: false }))
vi.mock('../../../app/cells/bundle.ts', async (original) => {
  const { currentBundle } = await original<typeof import('../../../app/cells/bundle.ts')>()
  return { currentBundle: (...of: Parameters<typeof currentBundle>) => (from.sources ? null : currentBundle(...of)) }
})

const ADDON = resolve(import.meta.dirname, `../../../node_modules/better-sqlite3/prebuilds`)
const SEEN = ['module.mjs', 'secret.txt']

/** A scene, and the requests that its server has got. */
async function scene(): Promise<{ at: Scene; requests: () => number }> {
  const folder = freshFolder()
  writeFileSync(join(folder, 'secret.txt'), 'A=secret')
  writeFileSync(join(folder, 'module.mjs'), '')
  let requests = 0
  const server = createServer((_, answer) => answer.end('seen'))
  server.on('connection', () => {
    requests += 1
  })
  new WebSocketServer({ server })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => void server.close())
  vi.stubEnv('MIXLAB_TEST_SECRET', 'secret')
  const { port } = server.address() as AddressInfo
  const addon = join(ADDON, `${process.platform}-${process.arch}.node`)
  return { at: { port, folder, addon, variable: 'MIXLAB_TEST_SECRET' }, requests: () => requests }
}

/** What came of attacks in a process that has dropped its rights, and shut no doors. */
async function attemptWithDoors(names: string[], at: Scene): Promise<Record<string, string>> {
  const folder = freshFolder()
  const script = join(folder, 'script.mjs')
  const confine = pathToFileURL(resolve(import.meta.dirname, '../../../app/confine.ts'))
  writeFileSync(script, `import { dropRights } from '${confine}'\ndropRights()\n${scriptOf(names, at)}`)
  return outcomeOf(script, folder)
}

/** What a script says that is started as a process of cells. */
function outcomeOf(script: string, folder: string): Record<string, string> {
  const words = [...rights(null), `--allow-fs-read=${folder}`, script]
  return JSON.parse(
    execFileSync(process.execPath, words, { encoding: 'utf8', env: {}, stdio: ['ignore', 'pipe', 'ignore'] }),
  )
}

/** What came of attacks in a cell, by name. */
async function attempt(names: string[], at: Scene, ...options: string[]): Promise<Record<string, string>> {
  const workspace = freshFolder()
  const { err } = await mixlab([
    'run',
    writeNotebook(workspace, attacking(names, at)),
    '--workspace',
    workspace,
    ...options,
  ])
  const line = err.find((each) => each.startsWith('{'))
  expect(err.join('\n')).toContain('{')
  return JSON.parse(line ?? '')
}

it.each(['the bundle, where it is built', 'the sources'])('no way leads out of a cell, from %s', async (script) => {
  from.sources = script === 'the sources'
  onTestFinished(() => {
    from.sources = false
  })
  const { at, requests } = await scene()
  const names = from.sources ? ['fetch', 'a module of Node', 'to read a file'] : Object.keys(ATTACKS)
  const found = await attempt(names, at)
  const shut = names.map((name) => [name, expect.stringMatching(/^shut: /)])
  expect(found).toEqual(Object.fromEntries(shut))
  expect(requests()).toBe(0)
  expect(readdirSync(at.folder).sort()).toEqual(SEEN)
})

it('Node alone holds most of them', async () => {
  const { at, requests } = await scene()
  const names = Object.keys(ATTACKS).filter((name) => !ONCE.includes(name) || name === 'a session with itself')
  const found = await attemptWithDoors(names, at)
  const shut = names.filter((name) => !BY_DOORS.includes(name))
  expect(
    Object.keys(found)
      .filter((name) => found[name] === 'out')
      .sort(),
  ).toEqual([...BY_DOORS].sort())
  expect(shut.length).toBeGreaterThan(25)
  expect(requests()).toBe(0)
  expect(readdirSync(at.folder).sort()).toEqual(SEEN)
})

it.each(['simdThread.ts', 'cells/trainThread.ts'])('none leads out of a thread of %s', async (thread) => {
  const { at, requests } = await scene()
  const folder = freshFolder()
  const [inside, outside] = [join(folder, 'inside.mjs'), join(folder, 'outside.mjs')]
  const url = pathToFileURL(resolve(import.meta.dirname, '../../../app', thread))
  writeFileSync(
    inside,
    `const { parentPort } = await import('node:worker_threads')\nawait import('${url}')
    ${scriptOf(Object.keys(ATTACKS), at)}\nparentPort.postMessage('over')`,
  )
  writeFileSync(
    outside,
    `import { Worker } from 'node:worker_threads'
    const thread = new Worker('${inside}')
    thread.on('message', (text) => text === 'over' && setImmediate(() => process.exit()))`,
  )
  const found = outcomeOf(outside, folder)
  expect(found).toEqual(
    Object.fromEntries(Object.keys(ATTACKS).map((name) => [name, expect.stringMatching(/^shut: /)])),
  )
  expect(requests()).toBe(0)
  expect(readdirSync(at.folder).sort()).toEqual(SEEN)
})

it('all of these lead out of a trusted one', async () => {
  const { at, requests } = await scene()
  const names = Object.keys(ATTACKS).filter((name) => !ONCE.includes(name))
  expect(await attempt(names, at, '--trust')).toEqual(Object.fromEntries(names.map((name) => [name, 'out'])))
  expect(requests()).toBeGreaterThan(2)
  expect(readdirSync(at.folder).length).toBeGreaterThan(SEEN.length)
})
