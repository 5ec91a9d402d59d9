import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Terminal } from '../../../app/cli/command.ts'
import { fileOf, readyNotebooks } from '../../../app/experiments/notebooks.ts'
import { Interrupted, train } from '../../../app/experiments/train.ts'
import { experiments } from '../../../app/experiments/update.ts'
import { LONG } from '../../long.ts'

let workspace: string
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'mixlab-experiments-test-'))
})
afterEach(() => rmSync(workspace, { recursive: true, force: true }))

/** Keeps what is printed. */
function recording(): Terminal & { lines: string[] } {
  const { signal } = new AbortController()
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  return { lines, out: print, err: print, redraw: null, signal, end: () => signal }
}

const claims = readyNotebooks().filter((name) => name.includes('/'))
/** A claim of few small images, and a variant of it that takes little time. */
const CHEAP = 'external/cost'
const VARIANT = 'tokens=64 model=external'

it('tries a claim in the quick mode, and changes nothing', async () => {
  const output = recording()
  const before = readFileSync(fileOf(CHEAP), 'utf8')
  const trainOne: typeof train = async (path, of, out) => {
    const trained = await train(path, { ...of, variants: [VARIANT] }, out)
    expect(trained.flatMap(({ rows }) => rows)).toMatchObject([{ variant: VARIANT, n: 1 }])
    return trained
  }
  expect(await experiments(['--quick', '--workspace', workspace, CHEAP], output, trainOne)).toBe(0)
  expect(output.lines.at(-1)).toBe(`${CHEAP}: runs`)
  expect(readFileSync(fileOf(CHEAP), 'utf8')).toBe(before)
})

it.runIf(LONG)('tries every claim', async () => {
  const output = recording()
  expect(await experiments(['--quick', '--workspace', workspace, ...claims], output)).toBe(0)
  expect(output.lines.filter((line) => line.endsWith(': runs'))).toHaveLength(claims.length)
})

it('goes on after one that fails, and says at the end which did', async () => {
  const output = recording()
  const code = await experiments(
    ['--quick', '--workspace', workspace, 'sam', 'solids', 'muon'],
    output,
    async (path) => {
      if (path.includes('solids')) throw new Error('ended with exit code 3')
      return []
    },
  )
  expect(code).toBe(1)
  expect(output.lines).toEqual([
    'sam: runs',
    'solids: failed: ended with exit code 3',
    'muon: runs',
    '1 of 3 are not as expected: solids',
  ])
})

it('tells what it can of a pilot of which runs failed, and ends with exit code 3', async () => {
  const output = recording()
  const someFail: (boolean | undefined)[] = []
  const run: typeof train = async (_, of) => {
    someFail.push(of.someFail)
    return []
  }
  expect(await experiments(['--pilot', '--workspace', workspace, CHEAP], output, run)).toBe(3)
  expect(new Set(someFail)).toEqual(new Set([true]))
  expect(output.lines.find((line) => line.startsWith('  failed: '))).toContain(`${VARIANT}, seeds 1001, 1002`)
  expect(output.lines.slice(-2)).toEqual([`${CHEAP}: some pilot runs failed`, `1 of 1 are not as expected: ${CHEAP}`])
  const refused = async () => Promise.reject(new Error('no such study'))
  expect(await experiments(['--pilot', '--workspace', workspace, CHEAP], recording(), refused)).toBe(1)
})

it('ends where it is interrupted', async () => {
  const tried: string[] = []
  const interrupted = async (path: string) => {
    tried.push(path)
    throw new Interrupted()
  }
  expect(await experiments(['--workspace', workspace, 'sam', 'solids'], recording(), interrupted)).toBe(130)
  expect(tried).toEqual([fileOf('sam')])
  expect(await experiments(['--quick', '--workspace', workspace], recording(), interrupted)).toBe(130)
  expect(tried).toHaveLength(1 + availableParallelism())
})

it('trains each notebook in a store of its own, which the next call finds', async () => {
  const places: string[] = []
  const run = async (_: string, { workspace: place }: { workspace: string }) => {
    places.push(place)
    return []
  }
  for (let call = 0; call < 2; call++) {
    await experiments(['--quick', '--workspace', workspace, 'sam', CHEAP], recording(), run)
  }
  const own = [join(workspace, 'quick/sam'), join(workspace, 'quick', CHEAP)]
  expect(places).toEqual([...own, ...own])
})

it('refuses an unknown name', async () => {
  await expect(experiments(['slam'], recording())).rejects.toThrow("slam: no ready notebook (did you mean 'sam'?)")
})

it('lists results of other numerics', async () => {
  const output = recording()
  await experiments(['--outdated'], output)
  expect(output.lines.at(-1)).toMatch(/^\d+ of \d+ to be trained again with numerics \d+$/)
})
