import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { LONG } from '../long.ts'
import { cell, downloaded, goTo, openNotebook, status } from './workbench.ts'

const NOTEBOOK = `// %% study
import { compare, gmlp, image, mixer, shapes } from 'mixlab'
export const tiny = compare('tiny', {
  task: image({ data: shapes({ train: 128, test: 40 }) }),
  model: { patch: 8, dim: 8, depth: 1 },
  variants: { gmlp: gmlp(), mixer: mixer() },
  train: { steps: 40, batch: 16, logEvery: 1 },
  seeds: 3,
})
`

/** A metric whose values are at the end of what they can be, and which no name would tell to be better when lower. */
const OWN = `// %% blank
import { metric } from 'mixlab'
export const blank = metric('top_recall', { better: 'lower', unit: 'share', bounds: [0, 1] }, () => ({
  add() {},
  value: () => 1,
}))
export const bad = metric('bad', { better: 'higher' }, () => ({
  add() {
    throw new Error('no such class')
  },
  value: () => 0,
}))

${NOTEBOOK.replace('seeds: 3', "metrics: [blank, bad], metric: 'test/top_recall', seeds: 2")}`

/** Two by two variants. */
const CROSSED = `// %% study
import { adamw, compare, factors, gmlp, image, shapes } from 'mixlab'
export const tiny = compare('tiny', {
  task: image({ data: shapes({ train: 64, test: 40 }) }),
  model: { patch: 16, dim: 8, depth: 1 },
  variants: factors({ lr: [1e-3, 3e-3], gate: ['linear', 'split'] }, ({ lr, gate }) => ({
    block: gmlp({ gate }),
    train: { optimizer: adamw({ learningRate: lr }) },
  })),
  train: { steps: 4, batch: 8 },
  seeds: 2,
})
`

const MANY = `// %% many
import { display, plot } from 'mixlab'
for (let i = 0; i < 45; i++) {
  console.log('figure', i)
  display(plot.line({ y: [1, 3, 2, i], title: 'figure ' + i }))
}
`

async function trained(text = NOTEBOOK, atOnce?: string) {
  const opened = await openNotebook(text)
  if (atOnce) await opened.page.getByTestId('at-once').selectOption(atOnce)
  await opened.page.getByTestId('run-all').click()
  await expect.poll(() => status(opened.page, 'study')).toBe('done')
  const chart = opened.page.getByTestId('curves').getByTestId('chart')
  await expect.poll(() => chart.locator('.js-plotly-plot .subplot.xy').count()).toBe(1)
  return { ...opened, chart }
}

const rangeOf = (chart: Locator) =>
  chart.locator('.js-plotly-plot').evaluate((element) => {
    return (element as unknown as { layout: { xaxis: { range: number[] } } }).layout.xaxis.range.map(Math.round)
  })

/** How many scripts the page has loaded that draw charts, once its editors are there and it has nothing to do. */
async function loadedCharts(page: Page): Promise<number> {
  await page.locator('.monaco-editor').first().waitFor()
  return page.evaluate(async () => {
    for (let turn = 0; turn < 3; turn++) await new Promise((turned) => requestIdleCallback(turned))
    return performance.getEntriesByType('resource').filter(({ name }) => name.includes('plotly')).length
  })
}

it('what draws curves is loaded before a study is run, and where nothing trains with the first chart', async () => {
  const { page: training } = await openNotebook(NOTEBOOK)
  await expect.poll(() => loadedCharts(training)).toBe(1)
  expect(await loadedCharts((await openNotebook(MANY)).page)).toBe(0)
})

describe('a chart', () => {
  it.runIf(LONG)('is saved for a paper in every format, shows its data, is zoomed, and leads to its runs', async () => {
    const { page, chart, troubles } = await trained()
    const tool = (name: string) => chart.getByRole('button', { name, exact: true })
    const savedAs = async (format: string) => {
      await tool('Save').click()
      await page.getByTestId('figure-format').selectOption(format)
      return (await downloaded(page, () => page.getByTestId('figure-save').click())).bytes
    }

    const box = await chart.locator('.figure').boundingBox()
    if (!box) throw new Error('the chart has no box')
    const png = await savedAs('png')
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect(png.readUInt32BE(16)).toBeCloseTo((8.5 / 2.54) * 300, -1)
    const svg = (await savedAs('svg')).toString()
    expect(svg).toMatch(/^<svg/)
    expect(svg).toContain('>mixer</text>')
    expect((await savedAs('pdf')).subarray(0, 5).toString()).toBe('%PDF-')
    expect((await savedAs('tex')).toString()).toContain('\\begin{axis}')
    const csv = (await savedAs('csv')).toString()
    expect(csv).toMatch(/^variant,seed,run,step,value\r\ngmlp,1,\d+,\d+,/)

    await page.mouse.move(box.x + box.width * 0.4, box.y + box.height * 0.5)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.7, box.y + box.height * 0.51, { steps: 5 })
    await page.mouse.up()
    const whole = [0, 40]
    await expect.poll(() => rangeOf(chart)).not.toEqual(whole)
    const zoomed = await rangeOf(chart)
    await page.getByLabel('what the curves show').selectOption('seeds')
    await expect.poll(() => chart.locator('.scatterlayer .trace').count()).toBeGreaterThan(5)
    await expect.poll(() => rangeOf(chart)).toEqual(zoomed)
    await page.mouse.dblclick(box.x + box.width * 0.5, box.y + box.height * 0.5)
    await expect.poll(() => rangeOf(chart)).toEqual(whole)

    await tool('Data').focus()
    await expect
      .poll(() => chart.locator('.chart-tools').evaluate((tools) => getComputedStyle(tools).opacity))
      .toBe('1')
    await page.keyboard.press('Enter')
    const run = chart.getByTestId('data-table').getByRole('link').first()
    const address = await run.getAttribute('href')
    expect(address).toMatch(/^#\/run\/\d+$/)

    // a point of the first line, as Plotly places it
    const point = await chart.locator('.js-plotly-plot').evaluate((element) => {
      const { _fullLayout: layout, data } = element as unknown as {
        _fullLayout: Record<'xaxis' | 'yaxis', { _offset: number; d2p(value: number): number }>
        data: { x: number[]; y: number[] }[]
      }
      const [x, y] = [data[0]?.x[5] ?? 0, data[0]?.y[5] ?? 0]
      return { x: layout.xaxis._offset + layout.xaxis.d2p(x), y: layout.yaxis._offset + layout.yaxis.d2p(y) }
    })
    await chart.locator('.figure').scrollIntoViewIfNeeded()
    const now = await chart.locator('.figure').boundingBox()
    await page.mouse.move((now?.x ?? 0) + point.x, (now?.y ?? 0) + point.y)
    await expect.poll(() => chart.locator('.hoverlayer .hovertext').count()).toBeGreaterThan(0)
    await page.mouse.click((now?.x ?? 0) + point.x, (now?.y ?? 0) + point.y)
    await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/^#\/run\/\d+$/)

    await goTo(page, '#/runs')
    await page.getByTestId('chart-runs').click()
    const panel = page.getByTestId('wall-panel').filter({ hasText: 'test/accuracy against parameters' })
    await expect.poll(() => panel.locator('.scatterlayer .trace').count()).toBeGreaterThan(1)
    expect(troubles).toEqual([])
  })

  it.runIf(LONG)(
    'of a metric of a cell stays within what that can be, and what goes wrong in one is told',
    async () => {
      const { page, chart, troubles } = await trained(OWN, '2')
      expect(await page.getByTestId('metric').inputValue()).toBe('test/top_recall')
      expect(await page.getByTestId('mean').allInnerTexts()).toEqual(['100.00 ± 0.00 (2)', '100.00 ± 0.00 (2)'])
      const verdict = await page.getByTestId('verdict').first().textContent()
      expect(verdict).toMatch(/ equals .* on all 2 seeds/)
      const range = () =>
        chart.locator('.js-plotly-plot').evaluate((element) => {
          return (element as unknown as { _fullLayout: { yaxis: { range: number[] } } })._fullLayout.yaxis.range
        })
      await expect.poll(range).toEqual([expect.any(Number), 1])
      expect((await range())[0]).toBeGreaterThanOrEqual(0)
      const output = cell(page, 'study').getByTestId('output')
      expect(await output.textContent()).toContain("metric 'bad' failed, and is not a number: blank:8: no such class")
      expect(troubles).toEqual([])
    },
  )

  it.runIf(LONG)('has the factors of a study as axes, which the user chooses, also after a reload', async () => {
    const { page, troubles } = await trained(CROSSED)
    const view = page.getByTestId('factor-chart')
    const chart = view.getByTestId('chart')
    const title = () => chart.locator('figcaption').textContent()
    const lines = () => chart.locator('.scatterlayer .trace').count()
    const open = (name: string) => page.getByTestId('study-chart').selectOption(name)

    await open('numeric')
    await expect.poll(title).toBe('test/accuracy against lr')
    await expect.poll(lines).toBe(4) // means and seeds of two lines
    await expect.poll(() => chart.locator('.legendtext').allTextContents()).toEqual(['linear', 'split'])
    await view.getByTestId('factor-lines').selectOption('[]')
    await expect.poll(lines).toBe(2)
    expect(await chart.textContent()).toContain('Averaged over gate, for seeds whose 2 runs are complete.')

    await open('interaction')
    await expect.poll(title).toBe('test/accuracy by gate, lr')
    await expect.poll(() => chart.locator('.xtick').allTextContents()).toEqual(['linear', 'split'])

    await open('grid')
    await view.getByTestId('factor-x').selectOption('gate')
    await page.getByTestId('metric').selectOption('test/loss')
    await expect.poll(title).toBe('test/loss by gate, lr')
    expect(await chart.textContent()).toContain('the better (lower)')

    await page.reload()
    await expect.poll(title).toBe('test/accuracy by gate, lr')
    await expect.poll(() => chart.locator('.heatmaplayer .hm').count()).toBe(1)
    await chart.getByRole('button', { name: 'Data', exact: true }).click()
    const table = await chart.getByTestId('data-table').innerText()
    expect(table).toMatch(/lr\s+gate\s+test\/accuracy\s+sd\s+n\s+0\.001\s+linear/)

    await page.getByTestId('compare').click()
    await expect
      .poll(() => page.locator('main.compare').getByTestId('factor-chart').locator('figcaption').textContent())
      .toBe('test/accuracy by gate, lr')
    expect(troubles).toEqual([])
  })

  it.runIf(LONG)('comes when it is near the view, where there are many, and all do for paper', async () => {
    const { page, troubles } = await openNotebook(MANY)
    await page.getByTestId('run-all').click()
    const charts = page.getByTestId('chart')
    const drawn = charts.locator('.subplot.xy')
    await expect.poll(() => charts.count()).toBe(45)
    await expect.poll(() => drawn.count()).toBe(40)

    const last = charts.last()
    expect(await last.locator('.subplot.xy').count()).toBe(0)
    await last.scrollIntoViewIfNeeded()
    await last.locator('.subplot.xy').waitFor()
    const narrow = { width: 700, height: 900 }
    await page.setViewportSize(narrow)
    const widths = (chart: Locator) =>
      chart.locator('.figure').evaluate((box) => [box.clientWidth, box.querySelector('.main-svg')?.clientWidth])
    await expect.poll(async () => new Set(await widths(last)).size).toBe(1)
    await charts.first().scrollIntoViewIfNeeded()
    await expect.poll(async () => new Set(await widths(charts.first())).size).toBe(1)

    const counted = page.evaluate(
      () =>
        new Promise((resolve) =>
          addEventListener('beforeprint', () =>
            queueMicrotask(() => resolve(document.querySelectorAll('.figure .subplot.xy').length)),
          ),
        ),
    )
    await page.pdf()
    expect(await counted).toBe(45)
    expect(troubles).toEqual([])
  })
})
