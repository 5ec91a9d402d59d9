import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it, vi } from 'vitest'
import { verdicts } from '../../../../engine/study/statistics/index.ts'
import type { StudyView } from '../../../../renderer/protocol/study.ts'
import { proposedSeeds } from '../../../../renderer/study/StudyActions.tsx'
import { comparisonTable } from '../../../../renderer/study/table/comparisonTable.ts'
import { VariantTable } from '../../../../renderer/study/table/VariantTable.tsx'
import { type Chosen, comparedRuns, comparedSeeds, doneRuns } from '../../../../renderer/study/table/values.ts'
import type { Comparison } from '../../../../renderer/study/useComparison.ts'
import { ACCURACY } from '../../../meanings.ts'
import { runView, studyView } from '../studies.ts'

const metric = 'test/accuracy'
const chosen: Chosen = { metric, meaning: ACCURACY, choice: 'last', atStep: new Map() }
const values = { plain: [0.5, 0.52, 0.51, 0.53, 0.5, 0.52], gated: [0.6, 0.63, 0.6, 0.64, 0.59, 0.63] }

function comparisonOf(study: StudyView, change: Partial<Comparison> = {}): Comparison {
  const { variants } = study
  const given = { baseline: variants[0] ?? '', soFar: false, answers: [], floors: [], strips: new Map(), ...change }
  const runs = doneRuns(study)
  const seeds = comparedSeeds(study, given.soFar)
  const input = {
    metric,
    variants,
    seeds,
    design: study.design,
    baseline: given.baseline,
    runs: comparedRuns(runs, chosen),
  }
  return { chosen, runs, ...given, verdicts: verdicts(input) }
}

function draw(study: StudyView, comparison: Comparison): string {
  return renderToStaticMarkup(<VariantTable {...{ study, comparison }} running={comparison.soFar} onPin={vi.fn()} />)
}
const textOf = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')

describe('VariantTable', () => {
  it('has mean and deviation, the difference to the baseline, the claim and the sentence of each variant', () => {
    const study = studyView(values)
    const text = textOf(draw(study, comparisonOf(study)))
    expect(text).toContain('test/accuracy, % mean ± sd (n) against plain, points mean, 95% CI')
    expect(text).toMatch(/plain baseline 51\.33 ± 1\.21 \(6\) – 1 2 3 4 5 6 6 s done by seed/)
    expect(text).toMatch(/gated Pin gated as baseline 61\.50 ± 2\.07 \(6\) \+10\.\d+ \[ ?9\.\d+ to 1\d\.\d+ ?\] better/)
    expect(text).toMatch(
      /gated is more accurate than plain by 10\.\d+ points \(95% CI .*; 6 of 6 seeds, p = 0\.031\); .* by seed/,
    )
    expect(text).toMatch(/p 0\.031 Holm p 0\.031 effect [\d.]+ wins–ties–losses 6–0–0/)
  })

  it('leads to the runs that have begun', () => {
    const study = studyView({ a: [0.5] })
    study.runs.push(runView(2, 'a', 2, 0, { id: null, status: 'waiting', metrics: {} }))
    const html = draw(study, comparisonOf(study))
    expect(html).toContain('href="#/run/1"')
    expect(html.match(/href/g)).toHaveLength(2) // in the line, and by seed
    expect(html).toContain('title="seed 2: waiting"')
  })

  it('says of looks after every seed what decided, and which runs are not needed', () => {
    const study = studyView({ plain: Array(7).fill(0.5), gated: Array(7).fill(0.6) })
    study.runs.push(runView(8, 'plain', 8, 0, { id: null, status: 'waiting', notNeeded: true, metrics: {} }))
    const designed = study.variants.map((variant) => ({ variant, settings: {}, intended: [] }))
    const design = { study: study.study, metric, variants: designed, runs: [], anytime: { upTo: 24 } }
    const comparison = comparisonOf({ ...study, design })
    const text = textOf(draw(study, comparison))
    expect(text).toContain('against plain, points median, confidence sequence')
    expect(text).toContain(
      'gated is more accurate than plain on most seeds (7 of 7 seeds, evidence 20 to 1, decided with seed 7);',
    )
    expect(text).toContain('7 done, 1 not needed')
    expect(text).toMatch(/evidence 21 to 1 p at any time 0\.048 effect/)
    expect(comparisonTable(study.variants, comparison).header).toContain('95% confidence sequence')
  })

  it('makes no claim before the last run', () => {
    const study = studyView(values)
    const text = textOf(draw(study, comparisonOf(study, { soFar: true })))
    expect(text).toContain('] so far 1 2')
    expect(text).toContain('so far: gated is more accurate than plain by')
    expect(text).not.toContain('] better')
  })

  it('names another baseline, and what is unlike about the pairs', () => {
    const study = studyView(values)
    for (const run of study.runs) if (run.variant === 'plain') run.backend = 'webgpu'
    const text = textOf(draw(study, comparisonOf(study, { baseline: 'gated' })))
    expect(text).toContain('against gated')
    expect(text).toContain('plain is less accurate than gated by')
    expect(text).toContain('backend webgpu and cpu')
  })
})

describe('comparisonTable', () => {
  it('is what is copied', () => {
    const study = studyView(values)
    const { header, numeric, rows } = comparisonTable(study.variants, comparisonOf(study))
    expect(header).toEqual([
      ...['variant', 'test/accuracy, %, mean ± sd (n)', 'difference to plain, points', '95% CI'],
      ...['p (Holm)', 'effect', 'wins–ties–losses'],
    ])
    expect(numeric).toHaveLength(header.length)
    expect(rows).toEqual([
      ['plain', '51.33 ± 1.21 (6)', '–', '–', '–', '–', '–'],
      [
        ...['gated', '61.50 ± 2.07 (6)', expect.stringMatching(/^\+10\.\d+$/), expect.stringMatching(/^9\.\d+ to 1/)],
        ...['0.031', expect.stringMatching(/^[\d.]+$/), '6–0–0'],
      ],
    ])
  })

  it('has dashes where nothing is complete', () => {
    const study = studyView({ a: [], b: [] })
    expect(comparisonTable(study.variants, comparisonOf(study)).rows).toEqual([
      ['a', ...Array(6).fill('–')],
      ['b', '–', '–', '–', '–', '–', '0–0–0'],
    ])
  })
})

describe('proposedSeeds', () => {
  it('is two, or as many as a claim needs to be possible', () => {
    const { verdicts: one } = comparisonOf(studyView(values))
    expect(proposedSeeds(6, one)).toBe(2)
    expect(proposedSeeds(3, one)).toBe(3)
    expect(proposedSeeds(1, one)).toBe(5)
    expect(proposedSeeds(3, [])).toBe(2)
  })
})
