import { describe, expect, it } from 'vitest'
import { analyze } from '../../../engine/notebook/graph.ts'
import type { ClassificationReport } from '../../../engine/records/report.ts'
import type { StoredRun } from '../../../engine/records/run.ts'
import { gatherReport, jupyterOutputs, type ReportHost, reportHtml } from '../../../engine/report/index.ts'
import { writeSafetensors } from '../../../engine/weights/safetensors.ts'
import { type CellOutputView, EMPTY_OUTPUT } from '../../../renderer/protocol/output.ts'
import { ACCURACY, LOSS } from '../../meanings.ts'

const TEXT = '// %% [markdown] why\n// # Why $x^2$ <b>\n\n// %% sum\n1 < 2\n\n// %% [sql] all\n// select 1\n'

const RUN: StoredRun = {
  id: 7,
  key: 'k'.repeat(64),
  study: 's',
  variant: 'v',
  seed: 1,
  status: 'done',
  backend: 'simd',
  device: 'a processor',
  startedAt: 0,
  archived: false,
  ms: 3000,
  endedAt: 3000,
  step: 2,
  steps: 2,
  parameters: 5,
  macs: null,
  error: null,
  hasWeights: true,
  metrics: { m: { last: 0.5, lastStep: 2, best: 0.5, bestStep: 2, min: 0, max: 1, count: 2, meaning: LOSS } },
}

const CONFUSION: ClassificationReport = {
  kind: 'classification',
  classes: ['cat', 'dog <b>'],
  confusion: [
    [3, 1],
    [0, 0],
  ],
  accuracy: [0.75, null],
  wrong: [],
}

/** A host on which the cell `sum` has shown something, and which has run 7. */
function host(output: unknown): ReportHost {
  return {
    describe: async () => ({ version: '9.9', workspace: '/secret/place', notebook: null }),
    readOutputs: async () => [{ cell: 'sum', fingerprint: 'old', output }],
    baselines: async () => ({ other: 'v' }),
    listRuns: async () => [RUN, { ...RUN, id: 3, status: 'failed' }],
    showRun: async () => ({
      ...RUN,
      spec: { data: 'd4t4', numerics: 3 },
      code: '',
      origin: null,
      environment: null,
    }),
    readSeries: async () => [{ run: 7, steps: [1, 2], values: [0.25, 0.5] }],
    readReport: async () => ({ test: CONFUSION }),
    readBands: async () => [],
    readWeights: async () => writeSafetensors([{ name: 'w', shape: [2], values: new Float32Array([1, 2]) }]),
    readNorms: async () => [],
    readHistograms: async () => [],
    showRuns: async () => [],
  }
}

async function reportOf(output: Partial<CellOutputView>): Promise<string> {
  return reportHtml(await gatherReport(host({ ...EMPTY_OUTPUT, ...output }), 'notes.ts', TEXT, analyze))
}

const STUDY = {
  study: 's',
  metric: 'm',
  variants: ['v'],
  blocks: {},
  runs: [{ ...RUN, cached: false, ms: 0, steps: 2 }],
}

describe('a report', () => {
  it('has text, code and values, escaped', async () => {
    const html = await reportOf({ value: { kind: 'boolean', text: '<true>' } })
    expect(html).toContain('<math')
    expect(html).toContain('&#60;b&#62;')
    expect(html).toContain('1 &#60; 2')
    expect(html).toContain('&#60;true&#62;')
    expect(html).toContain('select 1')
    expect(html).toContain('Mixlab 9.9')
    expect(html).not.toContain('/secret/place')
  })

  it('asks for nothing from elsewhere', async () => {
    const html = await reportOf({ studies: [STUDY] })
    expect(html).toContain("default-src 'none'")
    expect(html).not.toMatch(/(?:src|href)="?(?!data:)|url\(|@import/)
  })

  it('has the comparison, the curves and the provenance of a study', async () => {
    const html = await reportOf({ studies: [STUDY] })
    for (const text of ['0.5000', 'data-chart', 'kkkkkkkkkkkk', 'simd, a processor', 'd4t4', '1 of 1 runs'])
      expect(html).toContain(text)
  })

  it('has what each class was taken for as a chart', async () => {
    const html = await reportOf({ studies: [STUDY] })
    for (const text of ['<figcaption>Confusion, test: v, seed 1</figcaption>', '>3</text>', '3 of 4 right'])
      expect(html).toContain(text)
    expect(html).not.toContain('<b>dog')
  })

  it('has colours for light, dark and paper', async () => {
    const html = await reportOf({ studies: [STUDY] })
    const used = [...html.matchAll(/var\(--([\w-]+)\)/g)].map(([, name]) => name)
    const set = new Set([...html.matchAll(/--([\w-]+):/g)].map(([, name]) => name))
    expect(used.filter((name) => !set.has(name))).toEqual([])
    expect(html).toContain('color-scheme: light dark')
    expect(html.replace(/:root \{[^}]*\}/, '')).not.toMatch(/#[0-9a-f]{6}/)
  })

  it('has the verdict on each variant', async () => {
    const keys = ['a', 'b'].flatMap((variant) =>
      [1, 2, 3, 4, 5, 6].map((seed) => ({ variant, seed, key: `${variant}${seed}` })),
    )
    const runs = keys.map((name, i): StoredRun => {
      const last = (name.variant === 'a' ? 0.8 : 0.82) + 0.001 * (i % 5)
      const summary = { last, lastStep: 2, best: last, bestStep: 2, min: 0, max: 1, count: 2 }
      return { ...RUN, ...name, id: i + 1, metrics: { 'test/accuracy': { ...summary, meaning: ACCURACY } } }
    })
    const study = { study: 's', metric: 'test/accuracy', variants: ['a', 'b'], runs: keys }
    const output = { ...EMPTY_OUTPUT, studies: [study] }
    const stored: ReportHost = { ...host(output), listRuns: async () => runs }
    const page = reportHtml(await gatherReport(stored, 'notes.ts', TEXT, analyze))
    expect(page).toContain('<li>b is more accurate than a by 2.0')
    expect(page).toMatch(/; 6 of 6 seeds, p = .*assumes symmetric differences<\/li>/)
    const pinned = { ...stored, baselines: async () => ({ s: 'b' }) }
    expect(reportHtml(await gatherReport(pinned, 'notes.ts', TEXT, analyze))).toContain(
      '<li>a is less accurate than b by 2.0',
    )
  })

  it('draws figures, tables and pictures', async () => {
    const titles = { title: 'T', xLabel: null, yLabel: null, note: null }
    const bodies: CellOutputView['displays'] = [
      {
        kind: 'marks',
        text: '',
        body: {
          type: 'marks',
          mark: 'bar',
          barWidth: null,
          ...titles,
          series: [{ name: 'a', x: ['p', 'q'], y: [1, null] }],
        },
      },
      { kind: 'heat', text: '', body: { type: 'heatmap', z: [[1, -1, null]], x: null, y: null, ...titles } },
      {
        kind: 'panels',
        text: '',
        body: {
          type: 'panels',
          panels: [{ type: 'heatmap', z: [[1]], x: null, y: null, ...titles }],
          columns: 1,
          title: 'Both',
        },
      },
      { kind: 'table', text: '', body: { type: 'table', columns: ['c'], rows: [[null]], total: 5 } },
      {
        kind: 'images',
        text: '',
        body: { type: 'images', width: 1, height: 1, channels: 1, images: [btoa('\0'), 'x'.repeat(4)], note: null },
      },
    ]
    const html = await reportOf({ displays: bodies })
    expect(html.match(/<img/g)).toHaveLength(1)
    expect(html.match(/<svg[^>]*role="img"/g)).toHaveLength(3)
    for (const text of [
      '>p<',
      '<p>Both</p>',
      '(a) T<',
      '<title>a: 1 at p</title>',
      'fill="rgb(178, 24, 43)"',
      'and 4 more rows',
    ])
      expect(html).toContain(text)
  })

  it('has the answer to a query', async () => {
    const query = { columns: ['n'], rows: [[5]], truncated: true, at: 0, chart: null }
    const html = await reportOf({ query })
    expect(html).toContain('<td class="number">5</td>')
    expect(html).toContain('and more rows')
  })

  it('tells of outputs from an earlier text, and passes over what it does not know', async () => {
    expect(await reportOf({ console: [{ level: 'warn', text: 'w' }] })).toContain('has changed since this output')
    const odd = { console: 5, displays: [{}], value: { kind: 'k', text: 't', body: { type: 'new' } }, studies: [{}] }
    const html = reportHtml(await gatherReport(host(odd), 'notes.ts', TEXT, analyze))
    expect(html).toContain('<pre class="value">t</pre>')
    expect(reportHtml(await gatherReport(host(null), 'notes.ts', TEXT, analyze))).not.toContain('class="output"')
  })
})

describe('the outputs for Jupyter', () => {
  it('are streams, text, tables and errors', async () => {
    const output: Partial<CellOutputView> = {
      console: [{ level: 'log', text: 'hi' }],
      displays: [{ kind: 'table', text: 'c', body: { type: 'table', columns: ['c'], rows: [[1]], total: 1 } }],
      error: { code: 'notebook', path: '', message: 'no', line: 1 },
      studies: [STUDY],
    }
    const data = await gatherReport(host({ ...EMPTY_OUTPUT, ...output }), 'notes.ts', TEXT, analyze)
    const outputs = jupyterOutputs(data).get('sum')
    const types = outputs?.map(({ output_type }) => output_type) ?? []
    expect([types[0], types.at(-1), new Set(types.slice(1, -1))]).toEqual([
      'stream',
      'error',
      new Set(['display_data']),
    ])
    expect(outputs?.[1]).toMatchObject({ data: { 'text/plain': ['c'], 'text/html': expect.anything() } })
    expect(outputs?.[2]).toMatchObject({ data: { 'text/plain': ['s\n', 'variant\tm, mean\tsd\tn\n', 'v\t0.5\t-\t1'] } })
  })

  it('have figures, curves and what else is drawn of a study as SVG, with their words', async () => {
    const figure = { type: 'marks', mark: 'line', barWidth: null, title: 'L', xLabel: null, yLabel: null, note: null }
    const series = [{ name: '', x: [1, 2], y: [1, 2] }]
    const output = {
      displays: [{ kind: 'marks', text: '', body: { ...figure, series } }],
      studies: [STUDY],
    }
    const maps = [{ layer: 'blocks.0.attn', heads: 1, rows: 2, columns: 2, values: new Float32Array([1, 0, 0.5, 0.5]) }]
    const data = await gatherReport(host({ ...EMPTY_OUTPUT, ...output }), 'notes.ts', TEXT, analyze, {
      attentionOf: async () => maps,
    })
    const outputs = jupyterOutputs(data).get('sum') ?? []
    const pictures = outputs.flatMap((each) =>
      'data' in each && each.data['image/svg+xml'] ? [[each.data['text/plain']].flat().join('')] : [],
    )
    expect(pictures).toEqual([
      'L',
      expect.stringContaining('m over step'),
      expect.stringContaining('Attention'),
      expect.stringContaining('Confusion, test: v, seed 1'),
    ])
    expect(reportHtml(data)).toContain('<figcaption>Attention</figcaption>')
    const lost = await gatherReport(host({ ...EMPTY_OUTPUT, ...output }), 'notes.ts', TEXT, analyze, {
      attentionOf: () => Promise.reject(new Error('its data are gone')),
    })
    expect(reportHtml(lost)).not.toContain('<figcaption>Attention')
  })

  it('have the diagrams of models as SVG where they can be made', async () => {
    const output = { ...EMPTY_OUTPUT, studies: [STUDY] }
    const outputs = async (...again: Parameters<typeof gatherReport>[4][]) =>
      jupyterOutputs(await gatherReport(host(output), 'notes.ts', TEXT, analyze, ...again)).get('sum') ?? []
    const plain = await outputs()
    expect((await outputs({ diagramOf: () => Promise.reject(new Error('gone')) }))[1]).toMatchObject({
      data: { 'text/plain': ['v: No diagram: gone'] },
    })
    const empty = {
      operations: [],
      blockEnds: [],
      totals: { parameters: 0, macs: 0, bytes: 0 },
      peakBytes: 0,
      wrong: null,
    }
    const drawn = await outputs({ diagramOf: async () => ({ name: '', input: [1], ...empty }) })
    expect(drawn.length).toBe(plain.length + 2)
    expect(drawn[2]).toMatchObject({
      data: { 'image/svg+xml': expect.arrayContaining([expect.stringContaining('<svg ')]) },
    })
  })
})
