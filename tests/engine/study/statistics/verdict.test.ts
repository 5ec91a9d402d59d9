import { describe, expect, it } from 'vitest'
import { verdicts } from '../../../../engine/study/statistics/index.ts'
import type { ComparedRun, Verdict, VerdictsInput } from '../../../../engine/study/statistics/judgement.ts'
import { pairsOf as pairsBy } from '../../../../engine/study/statistics/verdict.ts'
import { ACCURACY } from '../../../meanings.ts'
import { run, runsOf } from './runs.ts'

const BASE = [0.8, 0.81, 0.79, 0.82, 0.8, 0.805]
const HOLDS =
  '; no run of 6 seeds diverged, so up to 39% of seeds may still diverge (95%); assumes symmetric differences'
const GAINS = [0.01, 0.012, 0.02, 0.025, 0.02, 0.021]

const shifted = (by: readonly number[], sign = 1) => BASE.map((value, i) => value + sign * (by[i] as number))

function verdictOf(values: number[], more: { metric?: string; base?: number[]; runs?: ComparedRun[] } = {}): Verdict {
  const { metric = 'test/accuracy', base = BASE } = more
  const runs = more.runs ?? [...runsOf('plain', base, { metric }), ...runsOf('gated', values, { metric })]
  return verdicts({ metric, runs, variants: ['plain', 'gated'], baseline: 'plain' })[0] as Verdict
}

describe('a verdict', () => {
  it('says what is better, by how much, how surely', () => {
    const verdict = verdictOf(shifted(GAINS))
    expect(verdict.sentence).toBe(
      `gated is more accurate than plain by 1.8 points (95% CI 1.0 to 2.5; 6 of 6 seeds, p = 0.031)${HOLDS}`,
    )
    expect(verdict).toMatchObject({ variant: 'gated', baseline: 'plain', claim: 'better', wins: 6, ties: 0, losses: 0 })
    expect(verdict).toMatchObject({ p: 2 / 64, adjusted: 2 / 64, moreSeeds: 0, missing: [], problems: [], notes: [] })
    expect(verdict.difference).toBeCloseTo(0.018, 10)
    expect(verdict.effect).toBeGreaterThan(2)
  })

  it('says what is worse', () => {
    const verdict = verdictOf(shifted(GAINS, -1))
    expect(verdict.sentence).toBe(
      `gated is less accurate than plain by 1.8 points (95% CI 1.0 to 2.5; 6 of 6 seeds, p = 0.031)${HOLDS}`,
    )
    expect(verdict).toMatchObject({ claim: 'worse', losses: 6 })
  })

  it('knows that less loss is better, and more perplexity worse', () => {
    const loss = verdictOf(shifted(GAINS, -1), { metric: 'test/loss' })
    expect(loss.sentence).toBe(
      `gated has a lower loss than plain by 0.018 nats (95% CI 0.010 to 0.025; 6 of 6 seeds, p = 0.031)${HOLDS}`,
    )
    const tenfold = (values: number[]) => values.map((value) => value * 1000)
    const more = { metric: 'test/perplexity', base: tenfold(BASE) }
    expect(verdictOf(tenfold(shifted(GAINS)), more).sentence).toBe(
      `gated has a higher perplexity than plain by 18 (95% CI 10 to 25; 6 of 6 seeds, p = 0.031)${HOLDS}`,
    )
  })

  it.each([
    ['test/macro_recall', 'better'],
    ['test/topic_loss', 'worse'],
    ['test/iou', 'better'],
    ['test/bleu', 'better'],
  ])('of %s goes by what the metric says, not by its name', (metric, higher) => {
    const [up, down] = [verdictOf(shifted(GAINS), { metric }), verdictOf(shifted(GAINS, -1), { metric })]
    expect([up.claim, down.claim]).toEqual(higher === 'better' ? ['better', 'worse'] : ['worse', 'better'])
    expect(up.wins).toBe(higher === 'better' ? 6 : 0)
    expect(up.sentence.includes(' points')).toBe(up.meaning.unit === 'share')
  })

  it('tells a difference, and no direction, where the metric does not say what is better', () => {
    const verdict = verdictOf(shifted(GAINS, -1), { metric: 'test/unknown' })
    expect(verdict).toMatchObject({ claim: 'different', wins: 0, losses: 6, p: 2 / 64, meaning: {} })
    const sentence = 'gated is lower than plain by 0.018 (95% CI 0.010 to 0.025; 6 of 6 seeds, p = 0.031)'
    expect(verdict.sentence).toBe(`${sentence}${HOLDS}; which way is better is not known`)
    expect(verdictOf(shifted([0.01]), { metric: 'test/unknown' }).sentence).toMatch(/: \+0\.01\d* \(higher on 1 of 1/)
  })

  it('takes no side where two studies mean different things by a name', () => {
    const runs = [...runsOf('plain', BASE), ...runsOf('gated', shifted(GAINS))]
    for (const { variant, metrics } of runs) {
      const better = variant === 'plain' ? 'higher' : 'lower'
      metrics['test/accuracy'] = { ...(metrics['test/accuracy'] ?? { last: 0, best: 0 }), meaning: { better } }
    }
    expect(verdictOf([], { runs })).toMatchObject({ claim: 'different', meaning: {} })
  })

  it('claims nothing where the compared metric has other code', () => {
    const spec = (metrics: object) => ({ numerics: 1, data: 'd', train: {}, metrics })
    const made = (mine: object, metric: string) => [
      ...runsOf('plain', BASE, { metric, spec: spec({ macro_recall: 'one' }) }),
      ...runsOf('gated', shifted(GAINS), { metric, spec: spec(mine) }),
    ]
    const metric = 'test/macro_recall'
    expect(verdictOf([], { metric, runs: made({ macro_recall: 'two' }, metric) }).problems).toEqual([
      'metrics.macro_recall two and one',
    ])
    expect(verdictOf([], { metric, runs: made({ macro_recall: 'one' }, metric) }).claim).toBe('better')
    expect(verdictOf([], { runs: made({ macro_recall: 'two' }, 'test/accuracy') }).claim).toBe('better')
  })

  it('says that nothing is shown, and what would settle it', () => {
    const verdict = verdictOf(shifted([0.012, -0.004, 0.009, 0.003, -0.001, 0.007]))
    expect(verdict.sentence).toBe(
      'gated is not shown to differ from plain: +0.4 points (95% CI -0.4 to 1.2; better on 4 of 6 seeds, p = 0.19); about 19 more seeds would settle a difference of this size',
    )
    expect(verdict).toMatchObject({ claim: 'open', p: 0.1875, moreSeeds: 19 })
    const loss = verdictOf(shifted([0.012, -0.004, 0.009, 0.003, -0.001, 0.007]), { metric: 'test/loss' })
    expect(loss.sentence).toContain(
      '+0.004 nats (lower is better) (95% CI -0.004 to 0.012; better on 2 of 6 seeds, p = 0.19)',
    )
  })

  it('has an interval at the level at which it was tested, so that the two never contradict', () => {
    const one = verdictOf(shifted([0.03, 0.02, 0.025, 0.01, 0.015, -0.002]))
    expect(one).toMatchObject({ claim: 'open', p: 0.0625, interval: { level: 0.95 } })
    expect(one.interval?.low).toBeCloseTo(-0.002, 9)
    const seeds = [...BASE, 0.8]
    const others = ['b', 'c'].flatMap((name) => runsOf(name, seeds))
    const gains = [...GAINS, -0.001].map((gain, i) => (seeds[i] as number) + gain)
    const runs = [...runsOf('plain', seeds), ...runsOf('gated', gains), ...others]
    const input = { metric: 'test/accuracy', runs, variants: ['plain', 'gated', 'b', 'c'], baseline: 'plain' }
    const [alone] = verdicts(input)
    expect(alone).toMatchObject({ claim: 'open', p: 4 / 128, adjusted: (3 * 4) / 128 })
    expect(alone?.interval?.level).toBeCloseTo(1 - 0.05 / 3, 12)
    expect(alone?.sentence).toMatch(
      /^gated is not shown to differ from plain: \+1\.5 points \(98\.3% CI -0\.1 to 2\.5; /,
    )
  })

  it('says what is equal on all seeds, and promises no more of them', () => {
    const none = verdictOf(BASE)
    expect(none).toMatchObject({ claim: 'same', effect: null, ties: 6, moreSeeds: 0 })
    expect(none.sentence).toBe('gated equals plain on all 6 seeds')
    expect(verdictOf(BASE.map((value) => value + 6e-8))).toMatchObject({ claim: 'same', difference: 0 })
    expect(verdictOf(shifted([0.01, -0.01, 0.02, -0.02, 0.011, -0.01])).moreSeeds).toBeNull()
  })

  it('has a point for an interval where all seeds differ by the same', () => {
    const verdict = verdictOf(BASE.map((value) => value + 0.01))
    expect(verdict).toMatchObject({ claim: 'better', effect: null })
    expect(verdict.sentence).toMatch(
      /^gated is more accurate than plain by 1\.0 points \(95% CI 1\.0 to 1\.0; 6 of 6 seeds, p = 0\.031\)/,
    )
  })

  it('compares what is counted, and tests nothing', () => {
    const nine = (value: number) => Array.from({ length: 9 }, () => value)
    const meaning = { better: 'lower', unit: 'multiply-adds' } as const
    const runs = [...runsOf('plain', nine(40_960)), ...runsOf('gated', nine(32_768))].map((each) => ({
      ...each,
      metrics: { macs: { last: each.metrics['test/accuracy']?.last ?? 0, best: 0, meaning } },
    }))
    const verdict = verdictOf([], { metric: 'macs', runs })
    expect(verdict).toMatchObject({ claim: 'counted', p: null, interval: null, difference: -8192 })
    expect(verdict.sentence).toBe('gated has 8192 fewer multiply-adds than plain')
  })

  it('claims nothing from too few seeds', () => {
    const five = verdictOf(shifted(GAINS).slice(0, 5), { base: BASE.slice(0, 5) })
    expect(five).toMatchObject({ claim: 'too few', p: 2 / 32 })
    expect(five.sentence).toBe(
      'too few seeds to tell gated from plain: +1.7 points (93.8% CI 1.0 to 2.5; better on 5 of 5 seeds); about 1 more seed would settle a difference of this size',
    )
    const one = verdictOf([0.9], { base: [0.8] })
    expect(one).toMatchObject({ claim: 'too few', p: 1, interval: null, effect: null, moreSeeds: 5 })
    expect(one.sentence).toBe(
      'too few seeds to tell gated from plain: +10.0 points (better on 1 of 1 seed); at least 5 more seeds are needed',
    )
  })

  it('tells of seeds that failed or are missing', () => {
    const runs = [...runsOf('plain', BASE), ...runsOf('gated', shifted(GAINS))]
    const failed = { ...(runs.at(-1) as ComparedRun), status: 'failed' as const }
    expect(verdictOf([], { runs: [...runs.slice(0, -1), failed] }).sentence).toMatch(/; interim: 5 of 6 planned seeds$/)
    const none = verdictOf([])
    expect(none).toMatchObject({ claim: 'too few', difference: null, p: null, adjusted: null, interval: null })
    expect(none.sentence).toBe(
      'nothing to compare: no seed is done in both gated and plain; interim: 0 of 6 planned seeds',
    )
  })

  it('counts what is rounding as equal, in any unit', () => {
    for (const unit of [1, 1e4]) {
      const verdict = verdictOf([(0.1 + 0.2) * unit, 0.5 * unit], { base: [0.3 * unit, 0.4 * unit] })
      expect(verdict).toMatchObject({ wins: 1, ties: 1, losses: 0 })
    }
  })

  it('compares runs of which one was recorded without its spec', () => {
    const spec = { numerics: 3, data: 'd', train: { batch: 64 } }
    for (const [ours, theirs] of [
      [{ spec }, {}],
      [{}, { spec }],
    ]) {
      const runs = [...runsOf('plain', BASE, theirs), ...runsOf('gated', shifted(GAINS), ours)]
      expect(verdictOf([], { runs })).toMatchObject({ claim: 'better', problems: [] })
    }
  })

  it('refuses pairs that differ in more than the model', () => {
    const spec = { numerics: 3, data: 'd', model: { dim: 8 }, train: { batch: 64, steps: 9 } }
    const runs = [
      ...runsOf('plain', BASE, { spec: { ...spec, train: { batch: 128, steps: 9 } } }),
      ...runsOf('gated', shifted(GAINS), { spec: { ...spec, model: { dim: 16 } } }),
    ]
    const verdict = verdictOf([], { runs })
    expect(verdict).toMatchObject({ claim: 'open', problems: ['train.batch 64 and 128'], p: null, moreSeeds: null })
    expect(verdict.sentence).toBe('no verdict: not only the models differ, but also train.batch 64 and 128')
  })

  it('notes other backends', () => {
    const runs = [...runsOf('plain', BASE), ...runsOf('gated', shifted(GAINS), { backend: 'webgpu' })]
    expect(verdictOf([], { runs })).toMatchObject({ claim: 'better', notes: ['backend webgpu and simd'] })
  })

  it('is interim while planned seeds are missing, whatever was shown of them', () => {
    const planned = { at: 1, metric: 'test/accuracy', variants: ['plain', 'gated'], departs: [] }
    const seeds = Array.from({ length: 30 }, (_, i) => i + 1)
    const variants = ['plain', 'gated'].map((variant) => ({ variant, settings: {}, intended: [] }))
    const design = { metric: 'test/accuracy', variants, planned: { ...planned, seeds } }
    const runs = [...runsOf('plain', BASE), ...runsOf('gated', shifted(GAINS))]
    const input = { metric: 'test/accuracy', runs, variants: ['plain', 'gated'], baseline: 'plain', design }
    const [verdict] = verdicts(input)
    expect(verdict).toMatchObject({ claim: 'better', interim: { done: 6, planned: 30 } })
    expect(verdict?.sentence).toMatch(/; interim: 6 of 30 planned seeds$/)
  })
})

describe('verdicts', () => {
  const seeds = [...BASE, 0.79, 0.815]
  const gain = (sign: number) => seeds.map((value, i) => value + sign * 0.01 * (1 + (i % 3)))

  it('are in the order of the variants, corrected for their number', () => {
    const runs = [...runsOf('b', gain(1)), ...runsOf('a', seeds), ...runsOf('c', gain(-1)), ...runsOf('d', seeds)]
    const found = verdicts({ metric: 'test/accuracy', runs, variants: ['d', 'a', 'b', 'c'], baseline: 'a' })
    expect(found.map(({ variant, claim }) => [variant, claim])).toEqual([
      ['d', 'same'],
      ['b', 'better'],
      ['c', 'worse'],
    ])
    expect(found.map(({ adjusted }) => adjusted)).toEqual([1, (3 * 2) / 256, (3 * 2) / 256])
  })

  it('are made against any baseline, and there are none of one variant', () => {
    const runs = [...runsOf('a', seeds), ...runsOf('b', gain(1))]
    const input = { metric: 'test/accuracy', runs, variants: ['a', 'b'] }
    expect(verdicts({ ...input, baseline: 'b' })).toMatchObject([{ variant: 'a', claim: 'worse' }])
    expect(verdicts({ ...input, variants: ['a'], baseline: 'a' })).toEqual([])
  })

  it('do not count what cannot be compared', () => {
    const spec = (batch: number) => ({ spec: { numerics: 3, data: 'd', train: { batch } } })
    const runs = [
      ...runsOf('a', BASE, spec(64)),
      ...runsOf('b', shifted(GAINS), spec(32)),
      ...runsOf('c', shifted([0.03, 0.02, 0.025, 0.01, 0.015, -0.002]), spec(64)),
    ]
    const [b, c] = verdicts({ metric: 'test/accuracy', runs, variants: ['a', 'b', 'c'], baseline: 'a' })
    expect(b).toMatchObject({ claim: 'open', p: null, adjusted: null })
    expect(c).toMatchObject({ p: 4 / 64, adjusted: 4 / 64, family: 1 })
  })

  it('are those of the whole study, whatever is shown of it', () => {
    const runs = [...runsOf('a', seeds), ...runsOf('b', gain(1)), ...runsOf('c', gain(-1)), ...runsOf('d', seeds)]
    const variants = ['a', 'b', 'c', 'd'].map((variant) => ({ variant, settings: {}, intended: [] }))
    const input = { metric: 'test/accuracy', runs, baseline: 'a', design: { metric: 'test/accuracy', variants } }
    const all = verdicts({ ...input, variants: ['a', 'b', 'c', 'd'] })
    const [shown, ...others] = verdicts({ ...input, variants: ['b'] })
    expect(others).toEqual([])
    expect(shown).toMatchObject({ adjusted: all[0]?.adjusted, family: 3, exploratory: null, split: 'test' })
    expect(shown?.sentence).toContain('corrected for all 3 comparisons of the study')
    expect(all[0]?.sentence).not.toContain('corrected for')
    expect(verdicts({ ...input, design: undefined, variants: ['b'], exploratory: true })[0]?.sentence).toContain(
      'exploratory: chosen after looking',
    )
  })

  it('say what was not planned: another baseline, another metric', () => {
    const runs = [...runsOf('a', seeds), ...runsOf('b', gain(1)), ...runsOf('c', gain(-1))]
    const variants = ['a', 'b', 'c'].map((variant) => ({ variant, settings: {}, intended: [] }))
    const input = { metric: 'test/accuracy', runs, variants: ['a', 'b', 'c'], baseline: 'c' }
    const [a] = verdicts({ ...input, design: { metric: 'test/accuracy', variants } })
    expect(a?.sentence).toContain('; exploratory: the study was planned with a as its baseline')
    const [b] = verdicts({ ...input, baseline: 'a', design: { metric: 'test/loss', variants } })
    expect(b?.sentence).toContain('; exploratory: the study was planned to compare by test/loss')
    expect(verdicts(input)[0]).toMatchObject({ exploratory: null })
  })

  it('show of long values, such as groups of parameters, the beginning', () => {
    const groups = JSON.stringify([{ match: '/^blocks/', optimizer: { optimizer: 'muon', options: {} } }])
    const variants = ['none', groups].map((groups, place) => ({
      variant: 'ab'.charAt(place),
      settings: { groups },
      intended: ['train.optimizer'],
    }))
    const runs = [...runsOf('a', seeds), ...runsOf('b', gain(1))]
    const input = { metric: 'test/accuracy', runs, variants: ['a', 'b'], baseline: 'a' }
    expect(verdicts({ ...input, design: { metric: 'test/accuracy', variants } })[0]?.sentence).toContain(
      'with groups [{"match":"/^blocks/","optimizer":{"opti…: b is more accurate than a by',
    )
  })

  it('name what is meant to differ, and refuse what is not', () => {
    const spec = (train: object, data = 'd') => ({ spec: { numerics: 3, data, train } })
    const design = (intended: string[]) => ({
      metric: 'test/accuracy',
      variants: ['a', 'b'].map((variant, place) => ({ variant, settings: { batch: 64 << place }, intended })),
    })
    const judged = (own: ReturnType<typeof spec>, intended: string[]) =>
      verdicts({
        metric: 'test/accuracy',
        runs: [...runsOf('a', seeds, spec({ batch: 64 })), ...runsOf('b', gain(1), own)],
        variants: ['a', 'b'],
        baseline: 'a',
        design: design(intended),
      })[0]
    expect(judged(spec({ batch: 128 }), ['train.batch'])?.sentence).toMatch(
      /^at batch 128 instead of 64: b is more accurate than a by .* 8 of 8 seeds, p = 0\.0078\); /,
    )
    expect(judged(spec({ batch: 128 }), [])?.problems).toEqual(['train.batch 128 and 64'])
    expect(judged(spec({ batch: 128 }, 'e'), ['train.batch'])?.problems).toEqual(['data e and d'])
    expect(judged(spec({ batch: 64, steps: 3, warmup: 1 }), ['train.steps'])?.problems).toEqual([])
    expect(judged(spec({ batch: 64, warmup: 1 }), ['train.floor'])?.problems).toEqual(['train.warmup 1 and none'])
  })

  it('name what one has and the other has not, and count the rest', () => {
    const plain = { data: 'textures', mixup: 'none', patch: 'none', base: 'none', difficulty: 'none', train: 'none' }
    const own = { data: 'permuted', mixup: 0.5, patch: 4, base: 'textures', difficulty: 0.3, train: 2048 }
    const judged = (...settings: Record<string, string | number>[]) => {
      const variants = settings.map((each, place) => ({
        variant: 'ab'.charAt(place),
        settings: each,
        intended: ['task'],
      }))
      const runs = [...runsOf('a', seeds), ...runsOf('b', gain(1))]
      const design = { metric: 'test/accuracy', variants }
      return verdicts({ metric: 'test/accuracy', runs, variants: ['a', 'b'], baseline: 'a', design })[0]?.sentence
    }
    expect(judged(plain, own)).toMatch(
      /^at data permuted instead of textures, with mixup 0\.5 and patch 4 and base textures and 2 more: b is more accurate/,
    )
    expect(judged({ mixup: 0.5 }, { mixup: 'none' })).toMatch(/^without mixup 0\.5: b is more accurate/)
  })

  it('say what a variant starts from', () => {
    const variants = [
      { variant: 'a', settings: { from: 'none' }, intended: ['from'] },
      { variant: 'b', settings: { from: 'm.safetensors' }, intended: ['from'] },
      { variant: 'c', settings: { from: 'before', batch: 128 }, intended: ['from'] },
    ]
    const runs = [...runsOf('a', seeds), ...runsOf('b', gain(1)), ...runsOf('c', gain(1))]
    const judged = (baseline: string) => {
      const design = { metric: 'test/accuracy', variants }
      return verdicts({ metric: 'test/accuracy', runs, variants: ['a', 'b', 'c'], baseline, design })
    }
    const [b, c] = judged('a').map(({ sentence }) => sentence)
    expect(b).toMatch(/^starting from m\.safetensors instead of from scratch: b is more accurate/)
    expect(c).toMatch(/^starting from before instead of from scratch, with batch 128: c is more accurate/)
    expect(judged('b')[0]?.sentence).toMatch(/^starting from scratch instead of from m\.safetensors: /)
  })

  it('do not get easier by failures of other variants', () => {
    const runs = [...runsOf('a', BASE), ...runsOf('b', shifted(GAINS))]
    const found = verdicts({ metric: 'test/accuracy', runs, variants: ['a', 'b', 'c'], baseline: 'a' })
    expect(found.map(({ claim, adjusted }) => [claim, adjusted])).toEqual([
      ['too few', 2 * (2 / 64)],
      ['too few', null],
    ])
  })
})

const rule = { threshold: null, fixed: false }
const pairsOf = (variant: string, input: VerdictsInput) => pairsBy(variant, input, rule, ACCURACY)
const base = { metric: 'test/accuracy', variants: ['a', 'b'], baseline: 'a' }

describe('pairsOf', () => {
  it('pairs runs by seed', () => {
    const runs = [run('b', 2, 0.75), run('a', 1, 0.5), run('a', 2, 0.5), run('b', 1, 0.25)]
    const { pairs, missing } = pairsOf('b', { ...base, runs })
    expect(pairs.map(({ seed, difference }) => [seed, difference])).toEqual([
      [1, -0.25],
      [2, 0.25],
    ])
    expect(pairs[0]?.runs).toEqual([runs[3]?.id, runs[1]?.id])
    expect(missing).toEqual([])
  })

  it('takes the newest run that is done', () => {
    const runs = [run('a', 1, 0.5), run('b', 1, 0.9), run('b', 1, 0.6), run('b', 1, 0.1, { status: 'failed' })]
    expect(pairsOf('b', { ...base, runs }).pairs.map(({ value }) => value)).toEqual([0.6])
    expect(pairsOf('b', { ...base, runs: runs.toReversed() }).pairs.map(({ value }) => value)).toEqual([0.6])
  })

  it('compares the best value where it is asked to', () => {
    const runs = [run('a', 1, 0.5, { best: 0.7 }), run('b', 1, 0.6, { best: 0.65 })]
    expect(pairsOf('b', { ...base, runs, which: 'best' }).pairs[0]).toMatchObject({ value: 0.65, baseline: 0.7 })
  })

  it('never joins a test with test examples that a run also chose by', () => {
    const old = { metric: 'eval/accuracy' }
    const runs = [run('a', 1, 0.5, old), run('b', 1, 0.6), run('a', 2, 0.5), run('b', 2, 0.6, old), run('a', 3, 0.5)]
    expect(pairsOf('b', { ...base, runs })).toMatchObject({ pairs: [], missing: [1, 2, 3] })
    expect(pairsOf('b', { ...base, runs, metric: 'eval/accuracy' })).toMatchObject({ pairs: [] })
  })

  it('names the seeds that have no pair', () => {
    const runs = [
      run('a', 1, 0.5),
      run('b', 1, 0.5),
      run('a', 2, 0.5),
      run('a', 3, 0.5),
      run('b', 3, 0.5, { status: 'interrupted' }),
      run('b', 4, 0.5),
    ]
    expect(pairsOf('b', { ...base, runs, seeds: [1, 2, 3, 4, 9] })).toMatchObject({
      pairs: [{ seed: 1 }],
      missing: [2, 3, 4, 9],
    })
  })

  it('has failures where values are not numbers, and leaves out runs without the metric', () => {
    const runs = [run('a', 1, 0.5), run('b', 1, Number.NaN), run('a', 2, 0.5), { ...run('b', 2, 0), metrics: {} }]
    const { pairs, missing, numbers } = pairsOf('b', { ...base, runs })
    expect([pairs, missing]).toEqual([[], [2]])
    expect(numbers).toMatchObject([{ seed: 1, failed: ['b'], lost: 1 }])
  })
})
