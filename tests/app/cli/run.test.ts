import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Preflight } from '../../../engine/records/preflight.ts'
import type { StoredRun } from '../../../engine/records/run.ts'
import { LONG, sample } from '../../long.ts'
import { resultsIn } from '../store/results.ts'
import { freshFolder, mixlab, NOTEBOOK, writeNotebook } from './recorder.ts'

describe('mixlab run', () => {
  it.runIf(LONG)(
    'reads files of the workspace for a data set of a cell, and names the folder where one is missing',
    async () => {
      const folder = freshFolder()
      const file = join(folder, 'read.ts')
      const write = (path: string) =>
        writeFileSync(
          file,
          `// %% mails
import { compare, dataset, gmlp, sequence } from 'mixlab'
const read = async (files) => {
  const rows = (await files.text('${path}')).trim().split('\\n').map((line) => line.split(';'))
  const examples = rows.map(([label, text]) => ({ label, text }))
  return { train: examples.slice(8), test: examples.slice(0, 8) }
}
export const study = compare('read', {
  task: sequence({ data: dataset('mails', { classes: ['ham', 'spam'], read }), tokens: 8 }),
  model: { dim: 8, depth: 1 },
  variants: { gmlp },
  train: { steps: 2, batch: 8 },
  seeds: 1,
})
`,
        )
      const rows = Array.from({ length: 40 }, (_, i) => (i % 2 ? `ham;hello friend ${i}` : `spam;buy this ${i}`))
      writeFileSync(join(folder, 'mails.csv'), rows.join('\n'))
      const call = ['run', file, '--json', '--workspace', folder]
      write('mail.csv')
      const missing = await mixlab(call)
      expect(missing.code).not.toBe(0)
      expect(missing.err.join(' ')).toContain(`mails:8: mail.csv: does not exist: ${folder} has no 'mail.csv'`)
      expect(missing.err.join(' ')).toContain("(did you mean 'mails.csv'?)")
      write('../mails.csv')
      expect((await mixlab(call)).err.join(' ')).toContain('../mails.csv: lies outside the workspace')
      write('mails.csv')
      expect(JSON.parse((await mixlab(call)).out[0] ?? '')).toMatchObject({ trained: 1, failed: 0 })
    },
  )

  it('says before training what the seeds can show, and after it what they show; a second call trains nothing', async () => {
    const folder = freshFolder()
    const call = ['run', writeNotebook(folder), '--workspace', folder]
    const { code, err, out } = await mixlab(call)
    expect(code).toBe(0)
    expect(err[0]).toBe('tiny: 2 seeds cannot reach 0.05 (smallest p 0.5); 6 seeds can')
    const size = '\\d+,\\d+ parameters, \\d+,\\d+ multiply-adds'
    const said = err.join(' ').replaceAll(/\s+/g, ' ')
    expect(said).toMatch(
      new RegExp(`plain: ${size}, runs as a program, leaves as ONNX, PyTorch and TF.js mixer: ${size}`),
    )
    expect(out.slice(1, 3)).toEqual([
      'tiny: test/accuracy',
      expect.stringMatching(/^variant {2}mean ± sd +n {2}epochs {2}highest floor$/),
    ])
    expect(out[3]).toMatch(/^plain {4}0\.\d{4} ± 0\.\d{4} {2}2 {4}0\.38 {2}10\.00 % chance(: below floor)?$/)
    expect(out[5]).toMatch(/^floors: chance 10\.00 %, nearest class mean /)
    const points = '[+-]?\\d+\\.\\d points'
    const counts = 'better on \\d(, equal on \\d)? of 2 seeds'
    const floor = '\\w+ does not pass [a-z ]+ \\(\\d+\\.\\d\\d %\\)'
    const short = `(compares short training: ${floor}(, ${floor})?; )?`
    const planned = 'planned \\d{4}-\\d\\d-\\d\\d: seeds 1, 2, mixer against plain, by test/accuracy'
    const verdict = `^too few seeds to tell mixer from plain: ${points} \\(${counts}\\); ${short}at least 4 more seeds are needed ${planned}$`
    const sentences = out.slice(7).join(' ').replaceAll(/\s+/g, ' ')
    expect(sentences).toMatch(new RegExp(verdict))
    expect(out.filter((line) => line.length > 80)).toEqual([])
    const again = await mixlab([...call, '--json'])
    expect(again.err).toEqual(['nothing to train: 4 of 4 runs are in the store'])
    expect(again.out).toHaveLength(1)
    const { verdicts, rows, ...result } = JSON.parse(again.out[0] ?? '')
    expect(result).toMatchObject({ study: 'tiny', metric: 'test/accuracy', trained: 0, cached: 4, failed: 0 })
    expect(rows.map(({ variant, n }: { variant: string; n: number }) => [variant, n])).toEqual([
      ['plain', 2],
      ['mixer', 2],
    ])
    expect(verdicts).toMatchObject([
      { variant: 'mixer', baseline: 'plain', claim: 'too few', problems: [], missing: [] },
    ])
    expect(sentences).toContain(`${verdicts[0].sentence} planned`)
  })

  it('refuses several runs at a time on a card that is not the backend in any case', async () => {
    const folder = freshFolder()
    const call = ['run', writeNotebook(folder), '--workspace', folder, '--card', 'any', '--jobs', '2']
    const { code, err } = await mixlab(call)
    expect([code, ...err]).toEqual([1, 'mixlab: --jobs: on a graphics card needs --backend webgpu'])
  })

  it.runIf(LONG)('says once for a variant why it runs operation by operation, and in which line', async () => {
    const folder = freshFolder()
    const text = NOTEBOOK.replace(
      "block('plain', (x, { dim }) => add(x, dense(x, dim)))",
      "block('plain', (x, { dim }) => {\n  const y = dense(x, dim)\n  return add(x, y.mul(y.mean().dataSync()[0]))\n})",
    ).replace('steps: 3', 'steps: 5')
    const calls = [[], ['--jobs', '2', '--threads', '2']]
    for (const [i, more] of calls.entries()) {
      const { code, err } = await mixlab([
        ...['run', writeNotebook(folder, text), ...more, '--seeds', `${2 * i + 2}`, '--workspace', folder],
      ])
      expect(code).toBe(0)
      expect(err.filter((line) => line.startsWith('plain: runs operation by operation, '))).toEqual([
        expect.stringMatching(/^plain: runs operation by operation, .+: block:4: reads values of a tensor$/),
      ])
    }
  })

  it('trains the variants and seeds that were asked for, says nothing of more seeds, and ends in one line of JSON', async () => {
    const folder = freshFolder()
    const options = ['--only', 'mixer', '--seeds', '1', '--quick', '--study', 'tiny', '--json', '--workspace', folder]
    const { err, out } = await mixlab(['run', writeNotebook(folder), ...options])
    expect(err.join()).not.toMatch(/reach|compare/)
    expect(out).toHaveLength(1)
    const { preflights, ...result } = JSON.parse(out[0] ?? '')
    const rows = [{ variant: 'mixer', n: 1, sd: null }]
    expect(result).toMatchObject({ study: 'tiny', metric: 'test/accuracy', trained: 1, cached: 0, failed: 0, rows })
    expect(preflights.map(({ variant, exported }: Preflight) => [variant, exported])).toEqual([['mixer', null]])
  })

  it('stops when interrupted, keeps what was logged, and goes on with what is missing', async () => {
    const folder = freshFolder()
    const call = ['run', writeNotebook(folder), '--json', '--workspace', folder]
    const abort = new AbortController()
    const err: string[] = []
    const stopped = await mixlab(call, {
      signal: abort.signal,
      err: (line) => {
        err.push(line)
        if (line === 'plain, seed 1: done') abort.abort()
      },
    })
    expect(stopped.code).toBe(130)
    expect(err.at(-1)).toBe('interrupted: 1 of 4 runs are done; the same command goes on with what is missing')
    const rest = await mixlab(call)
    expect(JSON.parse(rest.out[0] ?? '')).toMatchObject({ trained: 3, cached: 1, interrupted: false })
  })

  it.runIf(LONG)('starts a study from the weights of another, which is trained first', async () => {
    const folder = freshFolder()
    const text = `${NOTEBOOK}
// %% next
export const next = compare('next', { ...tiny.spec, from: tiny, train: { steps: 2, batch: 8 } })`
    const call = (...more: string[]) => ['run', writeNotebook(folder, text), ...more, '--json', '--workspace', folder]
    const { code, err, out } = await mixlab(call('--study', 'next', '--only', 'plain'))
    expect(code).toBe(0)
    expect(err.filter((line) => /, seed \d+: |starts from/.test(line))).toEqual([
      "'next' starts from 'tiny': 2 of 2 runs of that are trained first",
      'plain, seed 1: done',
      'plain, seed 2: done',
      expect.stringMatching(/^plain, seed 1: (\d+) of \1 parameters come from 'tiny'$/),
      'plain, seed 1: done',
      expect.stringMatching(/^plain, seed 2: (\d+) of \1 parameters come from 'tiny'$/),
      'plain, seed 2: done',
    ])
    expect(out.map((line) => JSON.parse(line))).toMatchObject([{ study: 'next', trained: 2, cached: 0 }])
    const both = (await mixlab(call())).out.map((line) => JSON.parse(line))
    expect(both).toMatchObject([
      { study: 'tiny', trained: 2, cached: 2 },
      { study: 'next', trained: 2, cached: 2 },
    ])
  })

  // npm test has jobs in processes in metric.test.ts, and a study that starts from another in several trainers in jobs.test.ts
  it.runIf(LONG)(
    'trains several runs at a time, to the same bits, also of a study that starts from another',
    async () => {
      const text = `${NOTEBOOK}
// %% next
export const next = compare('next', { ...tiny.spec, from: tiny, train: { steps: 2, batch: 8 } })`
      const train = async (...more: string[]) => {
        const folder = freshFolder()
        const workspace = ['--workspace', folder]
        const { code, out } = await mixlab(['run', writeNotebook(folder, text), ...more, '--json', ...workspace])
        // each is planned when it is first trained
        const results = out.map((line) => JSON.parse(line)).map(({ planned: _, ...result }) => result)
        return { code, results, stored: resultsIn(folder) }
      }
      const alone = await train('--study', 'next', '--threads', '1')
      const together = await train('--study', 'next', '--jobs', '2', '--threads', '2')
      expect([together.code, together.results]).toEqual([0, alone.results])
      expect(together.stored).toHaveLength(8)
      expect(together.stored).toEqual(alone.stored)
    },
  )

  it.runIf(LONG)('trains several runs at a time that choose the values of a study', async () => {
    const folder = freshFolder()
    const tune = 'tune: tuned({ steps: [2, 3] }, ({ steps }) => ({ train: { steps } }), { seeds: 1 }),'
    const text = NOTEBOOK.replace('shapes }', 'shapes, tuned }').replace('seeds: 2,', `${tune}\n  seeds: 2,`)
    const call = ['run', writeNotebook(folder, text), '--study', 'tiny, tuning', '--jobs', '2', '--threads', '2']
    const { code, err } = await mixlab([...call, '--workspace', folder])
    expect(code).toBe(0)
    expect(err.filter((line) => line.includes('one run is trained at a time'))).toEqual([])
  })

  it.runIf(LONG)('stops all runs when interrupted', async () => {
    const folder = freshFolder()
    const path = writeNotebook(folder, NOTEBOOK.replace('steps: 3', 'steps: 4000'))
    const call = (...more: string[]) => ['run', path, ...more, '--json', '--workspace', folder]
    const abort = new AbortController()
    const redraw = (line: string) => {
      if (line.startsWith('2 runs, 0 of 4 done')) abort.abort()
    }
    const { code, out } = await mixlab(call('--jobs', '2'), { signal: abort.signal, redraw })
    expect(code).toBe(130)
    expect(JSON.parse(out[0] ?? '')).toMatchObject({ trained: 0, interrupted: true })
    const runs = JSON.parse((await mixlab(['runs', '--json', '--workspace', folder])).out[0] ?? '[]') as StoredRun[]
    expect(runs.map(({ status }) => status)).toEqual(['interrupted', 'interrupted'])
  })

  it('goes on after a run that fails, says on top of its table which failed and why, and trains them again', async () => {
    const folder = freshFolder()
    const text = NOTEBOOK.replace('add(x, dense(x, dim))', 'dense(x, dim + 1)')
    const call = (...more: string[]) => mixlab(['run', writeNotebook(folder, text), ...more, '--workspace', folder])
    const { code, out, err: said } = await call()
    expect(code).toBe(3)
    const reason = "block: block 'plain': returned [1,4,9], expected [1,4,8] as it got"
    expect(said).toContain(`plain, seed 1: failed: ${reason}`)
    expect(said).toContain('plain: 1 run not tried, since every seed would fail so')
    const runs = 'plain, seed 1, and every other seed would'
    const top = ['', 'tiny: 1 of 4 runs failed, 1 not tried', `  ${runs}: ${reason}`, '', 'tiny: test/accuracy']
    const said80 = out.slice(0, 6).join('\n').replace('\n    ', ' ')
    expect(said80.split('\n')).toEqual(top)
    const { out: lines, err } = await call('--again', 'failed', '--json')
    expect(err).toContain('tiny: 1 run archived to be trained again')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ trained: 0, cached: 2, failed: 1, failures: [{ reason, runs }] })
    const { out: listed } = await mixlab([
      'runs',
      '--filter',
      'status:failed archived:yes,no',
      '--json',
      '--workspace',
      folder,
    ])
    expect(JSON.parse(listed[0] ?? '').rows).toHaveLength(2)
  })

  it.runIf(LONG)(
    'makes new attempts at variants, at what another backend trained, or at all, and keeps the old ones',
    async () => {
      const folder = freshFolder()
      const call = (...more: string[]) =>
        mixlab(['run', writeNotebook(folder), ...more, '--json', '--workspace', folder])
      const trained = ({ out }: { out: string[] }) => {
        const { trained, cached } = JSON.parse(out[0] ?? '')
        return [trained, cached]
      }
      await call('--backend', 'cpu')
      const other = await call()
      expect(other.err[0]).toBe('tiny: 4 of 4 runs were trained on cpu; --again cpu trains them on simd')
      expect(trained(await call('--again', 'mixer'))).toEqual([2, 2])
      const rest = await call('--again', 'cpu')
      expect([trained(rest), rest.err[0]]).toEqual([[2, 2], 'tiny: 2 runs archived to be trained again'])
      const none = await call('--again', 'cpu')
      expect([trained(none), none.err[0]]).toEqual([[0, 4], 'tiny: nothing to train again'])
      expect(trained(await call('--again', 'all', '--only', 'plain'))).toEqual([2, 0])
      const { out } = await mixlab(['runs', '--filter', 'archived:yes', '--json', '--workspace', folder])
      expect(JSON.parse(out[0] ?? '').rows).toHaveLength(6)
    },
  )

  it('names the line of the cell in which a block fails', async () => {
    const folder = freshFolder()
    const text = NOTEBOOK.replace('add(x, dense(x, dim))', '\n  add(x, dense(x, dim + 1))')
    const call = ['run', writeNotebook(folder, text), '--only', 'plain', '--seeds', '1', '--workspace', folder]
    const { err } = await mixlab(call)
    expect(err).toContain('plain, seed 1: failed: block:3: add: shapes [1,4,8] and [1,4,9] do not fit')
  })

  it.each(
    sample([
      ['an unknown variant', ['--only', 'mixr'], "tiny: unknown variant 'mixr' (did you mean 'mixer'?)"],
      ['an unknown study', ['--study', 'tinny'], "--study: unknown study 'tinny' (did you mean 'tiny'?)"],
      ['an unknown backend', ['--backend', 'cpuu'], "--backend: 'cpuu' unknown (did you mean 'cpu'?)"],
      [
        'what is to be trained again',
        ['--again', 'mixr'],
        "--again: 'mixr', allowed are plain, mixer, all, failed, webgpu, webgl, simd, cpu (did you mean 'mixer'?)",
      ],
      ['a number of seeds', ['--seeds', 'many'], "--seeds: 'many', expected a whole number of at least 1"],
      ['half a list of seeds', ['--seeds', '11,'], "--seeds: '', expected a whole number of at least 0"],
      ['a seed twice', ['--seeds', '11,12,11'], '--seeds: 11 is there twice, expected each seed once'],
    ] as const),
  )('refuses %s', async (_, options, message) => {
    const folder = freshFolder()
    const { code, err } = await mixlab(['run', writeNotebook(folder), ...options, '--workspace', folder])
    expect(code).toBe(1)
    expect(err).toEqual([`mixlab: ${message}`])
  })

  it.each(
    sample([
      ['a syntax error', '// %% a\nconst x = 1\nconst = 2\n', /^mixlab: a:2: /],
      ['no study', '// %% a\nconst x = 1\n', /^mixlab: tiny.ts: defines no study; make one with compare\(\)$/],
      [
        'an unknown dataset',
        NOTEBOOK.replace('shapes({ train: 64, test: 20 })', "'shape'"),
        /unknown data set 'shape'/,
      ],
      [
        'a misspelt option',
        NOTEBOOK.replace('steps: 3', 'step: 3'),
        /unknown option 'step' \(did you mean 'steps'\?\)/,
      ],
    ] as const),
  )('says where a notebook is wrong: %s', async (_, text, message) => {
    const folder = freshFolder()
    const { code, err } = await mixlab(['run', writeNotebook(folder, text), '--workspace', folder])
    expect(code).toBe(1)
    expect(err[0]).toMatch(message)
  })

  it('reads data outside of the workspace where --data says so', async () => {
    const [folder, elsewhere] = [freshFolder(), freshFolder()]
    const rows = Array.from({ length: 20 }, (_, i) => (i % 2 ? 'a good day\tyes' : 'no good at all\tno'))
    writeFileSync(join(elsewhere, 'train.tsv'), ['text\tlabel', ...rows].join('\n'))
    const path = writeNotebook(
      folder,
      `// %% study
import { compare, gmlp, sequence, tsv } from 'mixlab'
export const texts = compare('texts', {
  task: sequence({ data: tsv({ path: ${JSON.stringify(elsewhere)}, columns: { first: 'text', label: 'label' } }), tokens: 8 }),
  model: { dim: 4, depth: 1 },
  variants: { gmlp: gmlp() },
  train: { steps: 1, batch: 4 },
  seeds: 1,
})`,
    )
    const call = (...more: string[]) => mixlab(['run', path, ...more, '--json', '--workspace', folder])
    const { code, err } = await call()
    expect([code, err.at(-1)]).toEqual([
      1,
      `mixlab: texts: ${elsewhere}: lies outside the workspace; allow its folder with --data DIR, or with the Allow button of the page`,
    ])
    const { out } = await call('--data', elsewhere)
    expect(JSON.parse(out[0] ?? '{}')).toMatchObject({ trained: 1, failed: 0 })
  })

  it('names a notebook that does not exist', async () => {
    const path = join(freshFolder(), 'none.ts')
    expect((await mixlab(['run', path])).err).toEqual([`mixlab: ${path}: cannot be read: no such file`])
  })

  it('names a workspace that cannot be written', async () => {
    const folder = freshFolder()
    const path = writeNotebook(folder)
    const { code, err } = await mixlab(['run', path, '--workspace', path])
    expect(code).toBe(1)
    expect(err[0]).toContain(path)
  })
})
