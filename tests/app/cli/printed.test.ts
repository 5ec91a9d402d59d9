import { describe, expect, it } from 'vitest'
import type { PeerRow } from '../../../app/bench/compare.ts'
import { floorOf, peerTable } from '../../../app/cli/bench/peers.ts'
import { cloudArt, maskArt, pictureArt, seriesArt } from '../../../app/cli/data/art.ts'
import { samplesLines } from '../../../app/cli/data/lines.ts'
import { plainText } from '../../../app/cli/terminal/terminal.ts'
import { progressLine } from '../../../app/cli/training/progress.ts'
import { wrapped } from '../../../app/cli/training/wrapped.ts'
import { imagePart, maskPart, pointsPart, seriesPart } from '../../../engine/datacard/parts.ts'
import type { SamplePart } from '../../../engine/datacard/schema.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { StudyEvent } from '../../../engine/records/run.ts'
import { designOf } from '../../designs.ts'

it('shows the peers of a configuration', () => {
  const none = { train: null, forward: null, peakBytes: null, ratio: null }
  const rows: PeerRow[] = [
    { peer: 'simd', threads: 2, train: [20, 19.5], forward: [5, 4], peakBytes: 2e8, ratio: 1 },
    { peer: 'cpu', threads: 1, ...none, note: 'too slow' },
    { peer: 'torch', threads: 1, blasThreads: 1, train: [30, 30], forward: [6, 5], peakBytes: 3e8, ratio: 1.5 },
    { peer: 'torch', threads: 1, blasThreads: 2, train: [25, 24], forward: [6, 5], peakBytes: 3e8, ratio: 1.25 },
  ]
  const floor = floorOf({ macs: { train: 1.5e9, forward: 5e8 } }, { fma: 100 }, 2)
  expect(peerTable('tiny', rows, floor)).toEqual([
    'tiny                 threads  step, ms  least  forward, ms  least  peak, MB  ratio',
    'simd                       2      20.0   19.5          5.0    4.0       200   1.00',
    'cpu                        1         -      -            -      -         -      -  too slow',
    'torch, BLAS 1              1      30.0   30.0          6.0    5.0       300   1.50',
    'torch, BLAS 2              1      25.0   24.0          6.0    5.0       300   1.25  best of torch',
    'multiply-adds alone               15.0                 5.0',
  ])
})

describe('art of data', () => {
  const ramp = Float32Array.from({ length: 40 * 40 * 3 }, (_, i) => (i % 120) / 120)

  it('draws a picture of at most 16 characters by 8 lines, light on dark', () => {
    const lines = pictureArt(imagePart(ramp, [40, 40, 3]))
    expect([lines.length, ...new Set(lines.map((line) => line.length))]).toEqual([8, 16])
    const dots = (line: string) =>
      [...line].map((sign) => (sign.charCodeAt(0) - 0x2800).toString(2).replaceAll('0', '').length)
    const across = dots(lines[4] as string)
    expect(across.slice(0, 4).reduce((a, b) => a + b)).toBeLessThan(across.slice(-4).reduce((a, b) => a + b))
    expect(pictureArt(imagePart(new Float32Array(9), [3, 3, 1]))).toEqual(['⠀⠀']) // nothing divides by 0
  })
  it('draws clouds, masks with a sign for each class, and series with a bar before what is forecast', () => {
    expect(
      cloudArt(pointsPart([0, 0, 0]))
        .join('')
        .replaceAll('⠀', ''),
    ).toHaveLength(1)
    expect(maskArt(maskPart([0, 1, 1, 0], [2, 2], ['ground', 'disc']))).toEqual(['·1', '1·', '· ground', '1 disc'])
    const lines = seriesArt(
      seriesPart(
        Array.from({ length: 60 }, (_, i) => i),
        1,
        45,
      ),
    )
    for (const line of lines) expect([line.length, line.indexOf('│')]).toEqual([61, 45])
  })
  it('stays within 80 columns, whatever is shown', () => {
    const token = { text: 'word', id: 12 }
    const parts: SamplePart[] = [
      imagePart(ramp, [40, 40, 3]),
      maskPart(new Float32Array(900), [30, 30], ['ground']),
      seriesPart(new Float32Array(300), 1, 280),
      { type: 'tokens', tokens: Array.from({ length: 90 }, () => token), left: 0 },
      { type: 'text', text: 'some text '.repeat(40) },
      {
        type: 'class',
        shares: [
          { name: 'a', share: 0.5 },
          { name: 'b', share: 0.5 },
        ],
      },
    ]
    for (const part of parts) {
      const samples = Array.from({ length: 5 }, (_, i) => ({ title: `train ${i}`, parts: [{ name: 'x', part }] }))
      const lines = samplesLines('Samples', { title: 'train', samples, notes: [] }, 80)
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
      expect(lines.join('\n')).toContain('train 4')
    }
  })
})

it.each([
  ['a line\twith a tab', 'a line\twith a tab'],
  ['two\nlines', 'two\nlines'],
  ['\x1b[31mred\x1b[0m', '␛[31mred␛[0m'],
  ['\x1b]0;title\x07', '␛]0;title␇'],
  ['done\r\x1b[2Kforged', 'done␍␛[2Kforged'],
  ['\x9b2J \x7f \x00', '␡2J ␡ ␀'],
  ['ä – 漢字 🙂', 'ä – 漢字 🙂'],
])('%j is shown as %j', (text, shown) => {
  expect(plainText(text)).toBe(shown)
})

it('a sentence is cut between words, no line is longer than asked for, and none is lost', () => {
  const sentence = 'gated against ungated: better by 46.3 points, 95% interval 44.5 to 47.9, 6 of 6 seeds, p 0.031'
  expect(wrapped(sentence)).toEqual([
    'gated against ungated: better by 46.3 points, 95% interval 44.5 to 47.9, 6 of 6',
    '  seeds, p 0.031',
  ])
  for (const width of [20, 40, 79, 80, 200]) {
    const lines = wrapped(`  ${sentence}`, width)
    expect(lines.every((line) => line.length <= width)).toBe(true)
    expect(lines.map((line) => line.trim()).join(' ')).toBe(sentence)
  }
})

it('short texts, long words and nothing stay as they are', () => {
  expect(wrapped('as it is')).toEqual(['as it is'])
  expect(wrapped('')).toEqual([''])
  expect(wrapped(`a ${'x'.repeat(100)} b`)).toEqual(['a', `  ${'x'.repeat(100)}`, '  b'])
})

describe('the line of progress', () => {
  const run = (key: string) => ({
    key,
    study: 's',
    variant: key,
    seed: 1,
    spec: {},
    code: '',
    done: null,
    resumesAt: null,
  })
  const plan: StudyEvent = {
    type: 'plan',
    study: 's',
    metric: 'm',
    variants: [],
    design: designOf('s'),
    runs: ['a', 'b', 'c', 'd'].map(run),
  }
  const begin = (key: string): StudyEvent => ({ type: 'begin', key, id: 1, backend: 'cpu' })
  const of = (key: string, event: TrainEvent, ms = 0): StudyEvent => ({ type: 'run', key, id: 1, event, ms })
  const start: TrainEvent = { type: 'start', steps: 20, parameters: 1 }
  /** Steps of which the first takes 30 s, as only that of the first run does, and the others a second. */
  const steps = (key: string, count: number) =>
    Array.from({ length: count }, (_, i) => {
      return of(key, { type: 'step', step: i + 1, ms: i === 0 ? 30_000 : 1000 }, 30_000 + 1000 * i)
    })

  function line(...events: StudyEvent[]): string | undefined {
    const next = progressLine()
    return [plan, ...events].map(next).at(-1)?.()
  }

  it('names the run in training, how far it is, and the time left once that is known', () => {
    expect(line(begin('a'), of('a', start), ...steps('a', 5))).toBe('run 1 of 4: a, seed 1  █████░░░░░░░░░░░░░░░ 5/20')
    expect(line(begin('a'), of('a', start), ...steps('a', 9))).toBe('run 1 of 4: a, seed 1  █████████░░░░░░░░░░░ 9/20')
    const events = [begin('a'), of('a', start), ...steps('a', 10)]
    expect(line(...events)).toBe('run 1 of 4: a, seed 1  ██████████░░░░░░░░░░ 10/20  10 s left in this run')
  })

  it('shows the loss of each run with that run, to its end', () => {
    const loss = (value: number): TrainEvent => ({ type: 'metric', step: 5, name: 'train/loss', value })
    const events = [begin('a'), of('a', start), ...steps('a', 5), of('a', loss(0.25))]
    expect(line(...events)).toBe('run 1 of 4: a, seed 1  █████░░░░░░░░░░░░░░░ 5/20  loss 0.250')
    const over = [...events, of('a', { type: 'done', step: 20 })]
    expect(line(...over)).toContain('run 1 of 4: a, seed 1')
    expect(line(...over)).toContain('loss 0.250')
    expect(line(...over, begin('b'), of('b', start))).toBe('run 2 of 4: b, seed 1  ░░░░░░░░░░░░░░░░░░░░ 0/20')
    expect(line(...over, begin('b'), of('b', start), of('b', loss(0.5)))).toContain('loss 0.500')
  })

  it('says how many are in training where these are several, and the loss of none', () => {
    const loss: TrainEvent = { type: 'metric', step: 5, name: 'train/loss', value: 0.25 }
    const events = ['a', 'b'].flatMap((key) => [begin(key), of(key, start), ...steps(key, 10), of(key, loss)])
    expect(line(...events)).toBe('2 runs, 0 of 4 done  █████░░░░░░░░░░░░░░░')
    expect(line(...events, of('a', { type: 'failed', step: 10, message: 'no' }))).toContain(': a, seed 1')
  })
})
