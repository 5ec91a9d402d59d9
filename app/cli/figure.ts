import { extname } from 'node:path'
import { letterOf } from '../../engine/charts/drawing/letters.ts'
import { type FigureFormat, FORMATS, heightsOf, writeFigure } from '../../engine/charts/drawing/write.ts'
import type { Panel } from '../../engine/charts/figure/chart.ts'
import { COLUMN, checkPaper, PAGE_HEIGHT, type Paper, paperStyle } from '../../engine/charts/figure/paper.ts'
import type { AskedLayers } from '../../engine/charts/stored/source.ts'
import { MixlabError } from '../../engine/errors.ts'
import { receivedAttention } from '../../engine/explain/sentAttention.ts'
import type { LocalHost } from '../host.ts'
import { writeAtomic } from '../workspace/atomic.ts'
import { fileErrorReason } from '../workspace/file-error.ts'
import { type Arguments, type CliCommand, outputOf, RAW, workspaceOf } from './command.ts'
import { chartSource } from './figure/sources.ts'
import { type OpenCells, withCells } from './given/cells.ts'
import { grouped, wholeNumber } from './given/numbers.ts'
import { table } from './terminal/table.ts'

/** Millimetres, centimetres and inches, in centimetres. */
const UNITS: Record<string, number> = { mm: 0.1, cm: 1, in: 2.54 }

export const figure: CliCommand = {
  name: 'figure',
  synopsis: '<study | run | notebook>',
  summary: 'save a chart for a paper, as PDF, SVG, pgfplots or CSV; without --chart, list what there is',
  words: [1, 1],
  options: {
    chart: { value: 'NAME', help: 'the chart; several, A,B, are panels with letters' },
    output: { short: 'o', value: 'PATH', help: `the file to write, one of ${endings()}` },
    width: { value: 'W', help: `of the figure, e.g. 8.5cm, 85mm or 3.3in (default: ${COLUMN.width}cm)` },
    font: { value: 'PT', help: `size of all letters, in points, 7 or more (default: ${COLUMN.font})` },
    columns: { value: 'N', help: 'panels side by side (default: as a cell says, else 1, or 2 from 12 cm on)' },
    layers: { value: 'L', help: 'of what is inside of models: these layers, e.g. blocks.0,head (default: all)' },
    example: { value: 'N', help: 'of attention: this validation example (default: 0, the first)' },
    data: { value: 'DIR', help: 'of attention: let the code of runs read data files below this folder' },
    raw: RAW,
    metric: { value: 'M', help: 'the metric of the chart (default: that of the study)' },
  },
  run: async (given, output) => {
    const { chart, metric } = given.options
    // what is wrong with the call is told before anything is read
    const paper = paperOf(given)
    const path = chart === undefined ? null : outputOf(given)
    const format = path === null ? null : formatOf(path)
    const across = wholeNumber(given, 'columns', 1)
    const example = wholeNumber(given, 'example', 0) ?? 0
    const act = async (host: LocalHost, cells: OpenCells) => {
      const word = given.words[0] ?? ''
      const attention = async (id: number) => {
        const [run, weights] = [await host.showRun(String(id)), await host.readWeights(id)]
        return receivedAttention(await (await cells()).attention(run, weights, example))
      }
      const chosen = { metric: metric === undefined ? undefined : String(metric), layers: layersOf(given), attention }
      const source = await chartSource(host, word, chosen, workspaceOf(given))
      if (path === null || format === null) {
        if (given.options.json) output.out(JSON.stringify(source.names))
        else for (const line of table(['--chart', 'shows'], Object.entries(source.names))) output.out(line)
        return 0
      }
      const asked = Object.hasOwn(source.names, String(chart)) ? [String(chart)] : namesIn(String(chart))
      if (chosen.layers) checkFor('--layers', String(chart), asked, source.layered, 'layers')
      if (given.options.example !== undefined)
        checkFor('--example', String(chart), asked, source.ofExample, 'validation example')
      const nothing = (name: string, word: string) =>
        `'${name}' has nothing to show of '${word}'${source.ofExample.includes(name) ? ` at --example ${example}` : ''}`
      const panels: Panel[] = []
      for (const name of asked) {
        const made = await source.panels(name)
        if (made.length === 0) throw new MixlabError('option', '--chart', nothing(name, word))
        panels.push(...made)
      }
      const own = asked.length === 1 ? source.columns(asked[0] ?? '') : null
      const columns = across ?? own ?? (paper.width >= 12 ? 2 : 1)
      const style = paperStyle({ ...paper, width: paper.width / Math.min(columns, panels.length) })
      const charts = panels.map((panel) => panel(style))
      const bytes = await writeFigure(charts, format, paper, columns, given.options.raw === true)
      write(path, bytes)
      const drawn = format === 'pdf' || format === 'svg'
      const heights = drawn ? heightsOf(charts, format, paper, columns) : []
      const highest = Math.max(0, ...heights)
      const tall =
        highest > PAGE_HEIGHT ? [`${highest.toFixed(1)} cm high, more than a page has: ${source.fewer(asked)}`] : []
      const paged =
        heights.length > 1 ? [`${heights.length} pages, as one would be more than ${PAGE_HEIGHT} cm high`] : []
      const notes = charts.flatMap(({ note }) => note ?? [])
      const said =
        charts.length > 1
          ? charts.map(({ title, note }, i) => `${letterOf(i)} ${title}${note ? `. ${note}` : ''}`)
          : notes
      if (given.options.json)
        output.out(
          JSON.stringify({
            ...{ path, format, bytes: bytes.length, panels: charts.map(({ title }) => title) },
            notes: [...notes, ...paged, ...tall],
          }),
        )
      else for (const line of [`${path}: ${grouped(bytes.length)} bytes`, ...said, ...paged, ...tall]) output.out(line)
      return 0
    }
    return withCells(given, output, act)
  },
}

function layersOf({ options: { layers } }: Arguments): AskedLayers | undefined {
  return layers === undefined ? undefined : { names: namesIn(String(layers)), option: '--layers' }
}

/** Throws MixlabError for an option that none of the charts has. */
function checkFor(option: string, chart: string, asked: string[], known: string[], words: string): void {
  if (asked.some((name) => known.includes(name))) return
  const those = known.length > 0 ? `; ${known.join(', ')} ${known.length > 1 ? 'do' : 'does'}` : ''
  throw new MixlabError('option', option, `'${chart}' shows no ${words}${those}`)
}

const namesIn = (text: string) => text.split(',').map((name) => name.trim())

function endings(): string {
  return Object.keys(FORMATS)
    .map((format) => `.${format}`)
    .join(', ')
}

/** The format that the ending of a path says. Throws MixlabError `option`. */
function formatOf(path: string): FigureFormat {
  const ending = extname(path).slice(1).toLowerCase()
  if (Object.hasOwn(FORMATS, ending)) return ending as FigureFormat
  throw new MixlabError('option', '--output', `'${path}', expected a path that ends in ${endings()}`)
}

function paperOf({ options }: Arguments): Paper {
  const font =
    options.font === undefined ? COLUMN.font : Number(/^([\d.]+) ?(pt)?$/.exec(String(options.font))?.[1] ?? Number.NaN)
  if (!Number.isFinite(font)) throw new MixlabError('option', '--font', `'${options.font}', expected points, such as 8`)
  const asked = String(options.width ?? COLUMN.width)
  const [, size, unit = 'cm'] = /^([\d.]+) ?(mm|cm|in)?$/.exec(asked) ?? []
  const width = Number(size) * (UNITS[unit] ?? 1)
  if (!Number.isFinite(width))
    throw new MixlabError('option', '--width', `'${asked}', expected a width, such as 8.5cm, 85mm or 3.3in`)
  return checkPaper({ width, font }, '--')
}

function write(path: string, bytes: Uint8Array): void {
  try {
    writeAtomic(path, bytes)
  } catch (error) {
    throw new MixlabError(
      'option',
      '--output',
      `'${path}' cannot be written: ${fileErrorReason(error as NodeJS.ErrnoException)}`,
    )
  }
}
