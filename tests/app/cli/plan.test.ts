import { describe, expect, it } from 'vitest'
import { LONG, sample } from '../../long.ts'
import { freshFolder, mixlab, NOTEBOOK, writeNotebook } from './recorder.ts'

describe('mixlab plan', () => {
  it('says what the studies of a notebook can show, and trains and keeps nothing', async () => {
    const folder = freshFolder()
    const text = NOTEBOOK.replace('seeds: 2', 'seeds: 6')
    const { out, err, code } = await mixlab(['plan', writeNotebook(folder, text), '--workspace', folder])
    expect([code, err]).toEqual([0, []])
    expect(out).toEqual([
      'tiny',
      'question                        tests  seeds that can  shown at 0.8  power at 1 sd  seeds for 0.8',
      expect.stringMatching(/^each variant against the first {6}1 {15}6 {2}1\.8 sd {17}0\.3\d {13}1\d$/),
      '',
    ])
    const { out: runs } = await mixlab(['runs', '--workspace', folder, '--json'])
    expect(JSON.parse(runs[0] ?? '[]')).toEqual([])
  })

  it('says of the runs that choose values that nothing is asked of them', async () => {
    const folder = freshFolder()
    const lr = 'tune: tuned({ lr: [1e-3, 1e-2] }, ({ lr }) => ({ train: { optimizer: adamw({ learningRate: lr }) } })),'
    const text = NOTEBOOK.replace('seeds: 2', `${lr} seeds: 2`).replace('compare,', 'adamw, compare, tuned,')
    const { out } = await mixlab(['plan', writeNotebook(folder, text), '--workspace', folder])
    expect(out.slice(0, 2)).toEqual(['tiny, tuning', 'nothing is asked of these runs'])
  })

  const refused: [options: string[], message: string][] = [
    [['--effect', 'much'], "--effect: 'much', expected a number that is not 0"],
    [['--effect', '0.1'], "--effect: how much test/accuracy of 'tiny' differs between seeds is not known"],
    [['--study', 'tini'], "--study: unknown study 'tini' (did you mean 'tiny'?)"],
  ]
  it.each(sample(refused))('refuses %j', async (options, message) => {
    const folder = freshFolder()
    const { err, code } = await mixlab(['plan', writeNotebook(folder), ...options, '--workspace', folder])
    expect(code).not.toBe(0)
    expect(err.join(' ')).toContain(message)
  })

  it.runIf(LONG)('tells what departs from the plan, and costs and spread of runs like these', async () => {
    const folder = freshFolder()
    const at = ['--workspace', folder]
    await mixlab(['run', writeNotebook(folder, NOTEBOOK.replace('seeds: 2', 'seeds: 3')), '--seeds', '2', ...at])
    const whole = await mixlab(['run', writeNotebook(folder, NOTEBOOK.replace('seeds: 2', 'seeds: 3')), ...at])
    const said = whole.out.join(' ').replaceAll(/\s+/g, ' ')
    expect(said).not.toContain('exploratory')
    expect(said).toMatch(/planned \d{4}-\d\d-\d\d: seeds 1 to 3, mixer against plain, by test\/accuracy$/)
    const other = writeNotebook(folder, NOTEBOOK.replace('seeds: 2', 'seeds: [2, 3, 4, 5, 6, 7]'))
    const { out } = await mixlab(['plan', other, '--effect', '0.1', '--json', ...at])
    expect(JSON.parse(out[0] ?? '')).toMatchObject({
      studies: [
        {
          planned: { seeds: [1, 2, 3], departs: ['planned with seeds 1 to 3, shown with 2 to 7'] },
          outlook: { runs: 8, of: 6 },
        },
      ],
    })
  })
})
