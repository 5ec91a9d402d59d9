import { expect, it } from 'vitest'
import type { Terminal } from '../../../app/cli/command.ts'
import { claimIn, type PlannedClaim } from '../../../app/experiments/claims.ts'
import { pilotReport, pilotRunsOf, pilotTrainings } from '../../../app/experiments/pilot.ts'
import { resultsOf, train } from '../../../app/experiments/train.ts'
import { openHost } from '../../../app/host.ts'
import type { ClaimPart } from '../../../engine/claims/index.ts'
import { LONG } from '../../long.ts'
import { freshFolder, writeNotebook } from '../cli/recorder.ts'

const { signal } = new AbortController()
const silent: Terminal = { out() {}, err() {}, redraw: null, signal, end: () => signal }

const notebook = (tune: string) => `// %% study
import { adamw, claim, compare, image, mixer, gmlp, shapes, tuned } from 'mixlab'
export const study = compare('small', {
  task: image({ data: shapes({ size: 16, train: 64, test: 32 }) }),
  model: { patch: 8, dim: 8, depth: 1 },
  variants: { mixer, gmlp },
  ${tune}
  margin: 0.1,
  train: { steps: 2, batch: 16, evalEvery: 2 },
  seeds: 5,
})
// %% claim
export const claimed = claim({ paper: 'gmlp', where: 'table 3', pilot: [1001, 1002], minutes: 1, parts: [
  { study, of: 'gmlp', expected: 'better', figures: 'none', spread: 0.1 },
] })
`
const TUNED =
  'tune: tuned({ lr: [1e-3, 1e-2, 1e-1] }, ({ lr }) => ({ train: { optimizer: adamw({ learningRate: lr }) } }), { seeds: 2 }),'

it('tells of a plan what pilot seeds come to on validation, and nothing of the test or of other seeds', async () => {
  const workspace = freshFolder()
  const text = notebook(TUNED)
  const path = writeNotebook(workspace, text)
  const [runs] = await train(path, { workspace, study: 'small, tuning' }, silent)
  expect(runs).toMatchObject({ study: 'small, tuning', metric: 'validation/accuracy' })
  const host = openHost({ workspace })
  const claim = await claimIn(text, host)
  const { lines, isWhole } = await pilotReport(claim as PlannedClaim, host)
  const stored = await host.listRuns({})
  host.close()
  expect([...new Set(stored.map(({ seed }) => seed))].sort()).toEqual([1001, 1002])
  expect(isWhole).toBe(true)
  expect(lines).toEqual([
    'small, tuning: validation/accuracy at lr 0.001, 0.01, 0.1',
    expect.stringMatching(/^ {2}mixer: .*\[0\.\d{4}\]/),
    expect.stringMatching(/^ {2}gmlp: .*\[0\.\d{4}\]/),
    ...(lines.length > 5 ? [expect.stringMatching(/ at the ends? of its|their values/)] : []),
    expect.stringMatching(
      /^ {2}gmlp: spread \S+ between seeds, planned for \S+; margin 0\.1; power \d\.\d\d, .* with 5 seeds$/,
    ),
    expect.stringMatching(/^pilot runs took .*; those that count would take /),
  ])

  const all = await train(path, { workspace, study: 'small' }, silent)
  const results = await resultsOf(text, all, workspace)
  const ms = stored.reduce((sum, run) => sum + run.ms, all[0]?.ms ?? 0)
  expect(results.seconds).toBe(Math.round(ms / 1000))
})

it('says which rate diverged with which seed, and tells of the plan what the others came to', async () => {
  const workspace = freshFolder()
  const text = notebook(TUNED.replace('1e-1]', '3e38]'))
  const path = writeNotebook(workspace, text)
  const tuning = { workspace, study: 'small, tuning' }
  await expect(train(path, tuning, silent)).rejects.toThrow('ended with exit code 3')
  await train(path, { ...tuning, someFail: true }, silent)
  const host = openHost({ workspace })
  const { lines, isWhole } = await pilotReport((await claimIn(text, host)) as PlannedClaim, host)
  host.close()
  expect(isWhole).toBe(false)
  expect(lines[1]).toMatch(/^ {2}mixer: .*\[0\.\d{4}\].* diverged$/)
  const failed = lines.filter((line) => line.startsWith('  failed: ')).join()
  expect(failed).toContain('mixer, lr=3e+38, seeds 1001, 1002')
  expect(failed).toContain('gmlp, lr=3e+38, seeds 1001, 1002')
  expect(failed).toMatch(/loss is \S+ at step 2/)
  expect(lines.at(-2)).toMatch(
    /^ {2}gmlp: spread \S+ between seeds, planned for \S+; margin 0\.1; power \d\.\d\d, .* with 5 seeds$/,
  )
})

it('says what is not trained, and that there is no spread without it', async () => {
  const host = openHost({ workspace: freshFolder() })
  const { lines, isWhole } = await pilotReport((await claimIn(notebook(''), host)) as PlannedClaim, host)
  host.close()
  expect(isWhole).toBe(false)
  expect(lines.slice(0, 3)).toEqual([
    'small: nothing is chosen',
    '  failed: mixer, seeds 1001, 1002; gmlp, seeds 1001, 1002: not trained',
    '  gmlp: no spread, since 0 of 2 seeds have a number',
  ])
})

it('says before the full run which study would be exploratory, since one before it has its runs and another metric', async () => {
  const twice = (tune: string) => {
    const [study = '', claim = ''] = notebook(tune).split('// %% claim')
    const second = study
      .replace(/^import.*$/m, '')
      .replace('const study', 'const other')
      .replace("'small'", "'other'")
      .replace('margin: 0.1', "metric: 'test/loss',\n  margin: 0.1")
    const part = "{ study: other, of: 'gmlp', expected: 'better', figures: 'none', spread: 0.1 },"
    return `${study}${second}// %% claim${claim.replace('] })', `  ${part}\n] })`)}`
  }
  for (const tune of [TUNED, '']) {
    const host = openHost({ workspace: freshFolder() })
    const { lines } = await pilotReport((await claimIn(twice(tune), host)) as PlannedClaim, host)
    host.close()
    const found = lines.filter((line) => line.includes('exploratory'))
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(
      /^ {2}would be exploratory, .*: it has runs of a study before it; the study was planned to compare by test\/accuracy/,
    )
    expect(lines.indexOf(found[0] as string)).toBe(lines.length - 2)
  }
})

it.runIf(LONG)(
  'trains a study in which nothing is chosen with the pilot seeds, and its own seeds are a plan of their own',
  async () => {
    const workspace = freshFolder()
    const text = notebook('')
    const path = writeNotebook(workspace, text)
    const host = openHost({ workspace })
    const claim = (await claimIn(text, host)) as PlannedClaim
    for (const of of pilotTrainings(claim)) await train(path, { workspace, ...of }, silent)
    const stored = await host.listRuns({})
    expect([...new Set(stored.map(({ seed }) => seed))].sort()).toEqual([1001, 1002])
    expect((await pilotReport(claim, host)).lines).toEqual([
      'small: nothing is chosen',
      expect.stringMatching(
        /^ {2}gmlp: spread \S+ between seeds, planned for \S+; margin 0\.1; power \d\.\d\d, .* with 5 seeds$/,
      ),
      expect.stringMatching(/^pilot runs took .*; those that count would take /),
    ])
    const validation = stored.map(({ metrics }) => metrics['validation/accuracy']?.best)
    const { value } = await pilotRunsOf((claim.parts[0] as ClaimPart).study, [1001, 1002], host)
    expect(validation).toContain(value('gmlp', 1002))
    host.close()

    const [own] = await train(path, { workspace, study: 'small' }, silent)
    expect(own?.verdicts.map(({ exploratory }) => exploratory)).toEqual([null])
  },
)

it('trains what chooses the values of a study, or that study with the pilot seeds', async () => {
  const host = openHost({ workspace: freshFolder() })
  const claimOf = async (text: string) => (await claimIn(text, host)) as PlannedClaim
  expect(pilotTrainings(await claimOf(notebook(TUNED)))).toEqual([{ study: 'small, tuning' }])
  expect(pilotTrainings(await claimOf(notebook('')))).toEqual([{ study: 'small', seeds: [1001, 1002] }])
  host.close()
})

it('refuses a seed of choosing that the claim does not name, and one seed alone, which has no spread', async () => {
  const host = openHost({ workspace: freshFolder() })
  const claimOf = async (text: string) => (await claimIn(text, host)) as PlannedClaim
  const other = await claimOf(notebook(TUNED.replace('seeds: 2', 'seeds: 3')))
  await expect(pilotReport(other, host)).rejects.toThrow("claim.pilot: lacks seed 1003 of 'small'")
  const one = await claimOf(notebook('').replace('[1001, 1002]', '[1001]'))
  expect(() => pilotTrainings(one)).toThrow('claim.pilot: one seed, expected two or more, which have a spread')
  host.close()
})
