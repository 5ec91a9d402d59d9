import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LocalHost, openHost } from '../../../app/host.ts'
import { analyze, parseNotebook } from '../../../engine/notebook/index.ts'
import type { PlannedRun, StoredRunDetails } from '../../../engine/records/run.ts'
import { keyOfRun } from '../../../engine/study/key.ts'
import { recordedSpec } from '../../../engine/study/recreate/recorded.ts'
import { designOf } from '../../designs.ts'
import { sample } from '../../long.ts'
import { freshFolder, mixlab, NOTEBOOK, sharedFolder, writeNotebook } from '../cli/recorder.ts'
import { type Attack, answersIn, attackBy, HOLD } from './hold.ts'

const NO_CALLS: Attack[] = [
  ['archiveRuns', [[1], true], 'not found'],
  ['trainAgain', [[1]], 'not found'],
  ['changeBackend', [[1], 'cpu'], 'not found'],
  ['tagRuns', [[1], ['best'], []], 'not found'],
  ['deleteNotebook', ['victim.ts'], 'not found'],
  ['writeNotebook', ['victim.ts', 'mine', null], 'not found'],
  ['readNotebook', ['victim.ts'], 'not found'],
  ['querySql', ['select 1'], 'not found'],
  ['allowData', ['/'], 'not found'],
  ['issueCapability', [{ notebook: 'victim.ts', cells: [] }], 'not found'],
  ['callWith', ['', 'readWeights', [1]], 'not found'],
  ['close', [], 'not found'],
  ['toString', [], 'not found'],
  ['constructor', [], 'not found'],
]
const NOT_TAKEN: Attack[] = [
  ['read', ['/etc/passwd'], 'lies outside'],
  ['read', ['../../etc/passwd'], 'lies outside'],
  ['list', ['/'], 'lies outside'],
  ['read', ['.mixlab/mixlab.db'], 'cannot be read as data'],
  ['read', ['victim.ts'], 'cannot be read as data'],
  ['read', ['.env'], 'cannot be read as data'],
  ['read', [7], 'read.path'],
  ['read', ['a', 1, 2, 3], 'at most 3'],
  ['beginRun', [{}], 'beginRun.run'],
  ['record', ['x', []], 'record.id'],
  ['print', [{ toString: 'x' }], 'print.line'],
  ['startPlace', [1, 'simd'], 'of 1'],
  ['toPlace', [1, 'x'], 'toPlace.message'],
  ['fromJob', ['x'], 'fromJob.message'],
  ['starting', ['tiny', [], 'my own', true], 'starting.backend'],
]

/** The same study with another block: its runs have other keys. */
const FOREIGN = NOTEBOOK.replace('add(x, dense(x, dim))', 'dense(x, dim)').replace('seeds: 2', 'seeds: 1')

/** A run of a study like that of another one. */
function likeRun(run: StoredRunDetails, changes: { seed?: number; model?: object }): PlannedRun {
  const before = recordedSpec(run.spec, 'run')
  const { seed = run.seed, model = {} } = changes
  const spec = { ...before, seed, model: { ...before.model, ...model } }
  const { study, variant, code } = run
  return { key: keyOfRun(spec), study, variant, seed, from: undefined, spec, code }
}

/** Runs of another notebook: one that is done, one in training, one interrupted, and one that nobody has begun. */
type Victims = Record<'done' | 'training' | 'interrupted' | 'next', PlannedRun & { id: number }>

/** What a cell may try with runs of another notebook, and with one that could be its own. */
function attacksOn({ done, training, interrupted, next }: Victims, own: PlannedRun): Attack[] {
  const start = { backend: 'simd', device: 'mine' }
  const planned = ({ id: _, ...run }: Victims['done']) => run
  const named = ({ key, variant }: PlannedRun) => ({ key, variant })
  const metric = { type: 'metric', step: 1, name: 'test/accuracy', value: 0.999 }
  const by = { epoch: 1 }
  const keyOf = ({ key }: PlannedRun) => `run ${key.slice(0, 8)}: is of no cell that was run`
  const idOf = ({ id }: Victims['done']) => `run ${id}: is of no cell that was run`
  return [
    ['admitRuns', [[planned(next)]], 'its block is of no cell that was run'],
    ['admitRuns', [[{ ...own, key: done.key }]], 'its key is not that of its spec'],
    ['admitRuns', [[{ ...planned(done), spec: own.spec }]], 'its key is not that of its spec'],
    ['starting', ['tiny', [named(interrupted)], 'cpu', true], keyOf(interrupted)],
    ['beginRun', [{ ...planned(next), ...start }], keyOf(next)],
    ['beginRun', [{ ...own, ...start, key: next.key }], keyOf(next)],
    ['beginRun', [{ ...planned(interrupted), ...start }], keyOf(interrupted)],
    ['record', [training.id, [metric], by], idOf(training)],
    ['record', [interrupted.id, [metric], by], idOf(interrupted)],
    ['readState', [interrupted.id], idOf(interrupted)],
    ['readWeights', [done.id], idOf(done)],
    ['findDone', [[done.key]], keyOf(done)],
    ['lookAt', [[training.key]], keyOf(training)],
    ['doubtRuns', [[done.key]], keyOf(done)],
    ['findResumable', [[interrupted.key], 'simd'], keyOf(interrupted)],
    ['recordDesign', [designOf('tiny', [{ variant: 'renamed', seed: 1, key: done.key }])], keyOf(done)],
    ['planned', ['tiny', [named(done)]], keyOf(done)],
  ]
}

/** All that the store keeps of some runs. */
function rowsOf(folder: string, ids: number[]): Record<string, unknown[]> {
  const database = new BetterSqlite3(join(folder, '.mixlab/mixlab.db'), { readonly: true })
  const named = database.prepare<[], { name: string; by: string }>(
    `select t.name, c.name as by from sqlite_master t join pragma_table_info(t.name) c
     where t.type = 'table' and (c.name = 'run' or t.name = 'run' and c.name = 'id')`,
  )
  const among = `in (select value from json_each(?))`
  const rows = named.all().map(({ name, by }) => {
    const all = database.prepare(`select * from ${name} where ${by} ${among} order by 1, 2`)
    return [name, all.all(JSON.stringify(ids))]
  })
  database.close()
  return Object.fromEntries(rows)
}

let folder: string
let host: LocalHost
let victims: Victims
let own: PlannedRun
beforeAll(async () => {
  folder = sharedFolder()
  writeFileSync(join(folder, '.env'), 'password')
  const path = join(folder, 'victim.ts')
  writeFileSync(path, NOTEBOOK)
  await mixlab(['run', path, '--seeds', '1', '--only', 'plain', '--workspace', folder])
  host = openHost({ workspace: folder }) // another process, in which victim.ts trains, too
  const done = await host.showRun('1')
  const beginRun = async (seed: number, step: number | null) => {
    const run = likeRun(done, { seed })
    const origin = { notebook: 'victim.ts', cell: 'study', name: 'tiny', source: NOTEBOOK, quick: false }
    const begun = await host.beginRun({ ...run, backend: 'simd', device: 'a processor', origin })
    if (!begun) throw new Error('nothing was begun')
    if (step !== null) await host.record(begun.id, [{ type: 'interrupted', step }], { epoch: begun.epoch })
    return { ...run, id: begun.id }
  }
  victims = {
    done: { ...likeRun(done, {}), id: done.id },
    training: await beginRun(2, null),
    interrupted: await beginRun(3, 1),
    next: { ...likeRun(done, { seed: 4 }), id: 0 },
  }
  const block = analyze(parseNotebook(FOREIGN)).cells.find(({ id }) => id === 'block')
  own = likeRun(done, { model: { code: block?.fingerprint ?? '', digest: '0'.repeat(64) } })
})
afterAll(() => host.close())

it('the parent answers the calls of a kernel alone, each checked, for runs of the notebook alone', async () => {
  const ids = [1, 2, 3]
  const before = rowsOf(folder, ids)
  const attacks: Attack[] = [
    ...NO_CALLS,
    ...NOT_TAKEN,
    ...attacksOn(victims, own),
    ['admitRuns', [[own]], ' -> '],
    ['beginRun', [{ ...own, backend: 'simd', device: 'mine', code: 'made up' }], 'epoch'],
  ]
  const text = `${attackBy(attacks)}\n${FOREIGN}`
  const words = ['--again', 'all', '--workspace', folder]
  const { err, code } = await mixlab(['run', writeNotebook(folder, text), ...words])
  const answers = answersIn(err)
  expect(answers).toHaveLength(attacks.length)
  for (const [i, [call, given, answer]] of attacks.entries()) {
    expect(answers[i], `${call} ${JSON.stringify(given)}`).toMatch(answer)
  }
  expect(rowsOf(folder, ids)).toEqual(before)
  expect(readdirSync(folder).sort()).toEqual(['.env', '.mixlab', 'tiny.ts', 'victim.ts'])
  expect(code).toBe(0)
  expect(await host.showRun('4')).toMatchObject({
    code: expect.stringContaining('dense(x, dim)'),
    origin: { notebook: 'tiny.ts' },
  })
})

const BAD: [what: string, code: string, why: string][] = [
  ['a length that nothing has', 'send([1], 0xffffffff)', 'it sent a message of 4294967295 bytes'],
  ['bytes that are no message', 'send([0xc1, 0xc1])', 'it sent '],
  ['a key that reaches a prototype', "send(packed({ t: 'q', m: 'print', ['__proto__']: 'x' }))", 'it sent '],
  ['nothing in place of a message', 'send([0xc0])', 'it sent '],
]
it.each(sample(BAD, 0, 2))('%s ends the process that sends it', async (_, code, why) => {
  const folder = freshFolder()
  const text = `${HOLD}\n${code}\nawait new Promise(() => setTimeout(() => {}, 1e6))\n`
  const { err, code: exit } = await mixlab(['run', writeNotebook(folder, text), '--workspace', folder])
  expect(exit).toBe(1)
  expect(err.at(-1)).toContain(`mixlab: the process in which the cells run has ended: ${why}`)
})
