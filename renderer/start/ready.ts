import { parseNotebook } from '../../engine/notebook/parse.ts'

const TEXTS = import.meta.glob<string>('../../experiments/*.ts', { query: '?raw', import: 'default', eager: true })

/** What a variant of a ready notebook comes to; `sd` is null for one seed. */
export interface ReadyRow {
  variant: string
  mean: number
  sd: number | null
}

/** A ready notebook: what it asks, how long it takes and what comes out, as its text says. */
export interface Ready {
  /** `first-comparison` */
  name: string
  text: string
  question: string
  /** Markdown. */
  about: string
  /** `About five minutes on two cores` */
  time: string
  /** Of the study that answers the question, the last one. */
  metric: string
  rows: ReadyRow[]
  /** The verdict on the variant that differs most. */
  result: string
}

/** The ready notebooks, the one to begin with first. */
export const READY: readonly Ready[] = Object.entries(TEXTS)
  .map(([path, text]) => readyOf(path.replace(/^.*\/|\.ts$/g, ''), text))
  .sort((a, b) => Number(b.name.startsWith('first')) - Number(a.name.startsWith('first')))

function readyOf(name: string, text: string): Ready {
  const [first, second] = parseNotebook(text)
  const paragraphs = (first?.source ?? '').split(/\n\n+/)
  const [heading = '', about = ''] = paragraphs
  const prose = paragraphs.join(' ').replace(/\s+/g, ' ')
  const [, time = ''] = /(?:^|\. )([^.`]*? minutes?[^.;]*? on two (?:idle )?cores)/.exec(prose) ?? []
  return { name, text, question: heading.replace(/^# /, ''), about, time, ...answerOf(second?.source ?? '') }
}

/** What the last table of a cell `expected` says. */
function answerOf(expected: string): Pick<Ready, 'metric' | 'rows' | 'result'> {
  const table = expected.split('\n\n').at(-1) ?? ''
  const cells = table.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
  const metric = (cells[0]?.[2] ?? '').replace(/, mean ± sd$/, '')
  const lines = cells.slice(2).flatMap(([, variant = '', value = '', , sentence = '']) => {
    const [mean = Number.NaN, sd = null] = value.split(' ± ').map(Number)
    return Number.isNaN(mean) ? [] : [{ row: { variant, mean, sd }, sentence }]
  })
  const base = lines[0]?.row.mean ?? 0
  const far = lines.toSorted((a, b) => Math.abs(b.row.mean - base) - Math.abs(a.row.mean - base))[0]
  return { metric, rows: lines.map(({ row }) => row), result: far?.sentence ?? '' }
}
