import { partText } from '../../../engine/datacard/drawing.ts'
import type { DataCard, Sample, SamplePart, Samples, Token } from '../../../engine/datacard/schema.ts'
import { grouped } from '../given/numbers.ts'
import { table } from '../terminal/table.ts'
import { wrapped } from '../training/wrapped.ts'
import { cloudArt, maskArt, pictureArt, seriesArt } from './art.ts'

/** Classes that are listed. */
const MAX_CLASSES = 24

/** A card as lines of at most `columns` characters. */
export function cardLines(card: DataCard, columns: number): string[] {
  const { expression, kind, task, splits, shape, source, licence, hash, notices, looked, classes } = card
  const sizes = splits.map(({ name, size }) => `${name} ${grouped(size)}`).join(', ')
  const facts = [
    `${expression}: ${kind}, read for ${task}()`,
    `${sizes} ${splits[0]?.unit ?? 'examples'}; ${shape}`,
    `from: ${source}; licence: ${licence ?? 'not stated'}`,
  ]
  const sentences = [...facts, ...notices.map((notice) => `! ${notice}`), looked]
  return [
    ...sentences.flatMap((each) => wrapped(each, columns)),
    `SHA-256 ${hash}`,
    ...(classes ? ['', ...classLines(classes, splits)] : []),
  ]
}

function classLines({ list, left, of }: NonNullable<DataCard['classes']>, splits: DataCard['splits']): string[] {
  const rows = list.slice(0, MAX_CLASSES).map(({ name, counts }) => [name.slice(0, 30), ...counts.map(grouped)])
  const more = left + Math.max(0, list.length - MAX_CLASSES)
  const head = of === 'examples' ? 'class' : `class, in ${of}`
  return [...table([head, ...splits.map(({ name }) => name)], rows), ...(more > 0 ? [`and ${more} more classes`] : [])]
}

/** Samples as lines of at most `columns` characters: pictures and clouds side by side, others one below the other. */
export function samplesLines(what: string, { title, samples, notes }: Samples, columns: number): string[] {
  const head = [...wrapped(`${what}: ${title}`, columns), ...notes.flatMap((note) => wrapped(note, columns))]
  const blocks = samples.map((sample) => blockOf(sample, columns))
  return ['', ...head, '', ...besideEachOther(blocks, columns)]
}

/** A sample as lines. */
function blockOf({ title, parts }: Sample, columns: number): string[] {
  return [title, ...parts.flatMap(({ name, part }) => partLines(name, part, columns))]
}

function partLines(name: string, part: SamplePart, columns: number): string[] {
  switch (part.type) {
    case 'image':
      return pictureArt(part)
    case 'points':
      return cloudArt(part)
    case 'mask':
      return maskArt(part)
    case 'series':
      return [...seriesArt(part), partText(part)]
    case 'tokens':
      return wrapped(`${name}: ${tokensText(part.tokens)}`, columns)
    default:
      return wrapped(
        part.type === 'class' ? partText(part) : `${name}: ${partText(part)}`,
        part.type === 'class' ? 24 : columns,
      )
  }
}

/** Tokens with their ids; what is masked, asked for or of the answer stands in brackets. */
function tokensText(tokens: readonly Token[]): string {
  const padding = tokens.filter(({ is }) => is === 'padding').length
  const shown = tokens
    .filter(({ is }) => is !== 'padding')
    .map(({ text, id, is, was }) => {
      const own = `${text.trim() || JSON.stringify(text)}/${id}`
      if (was !== undefined) return `<${is}: ${own}${is === 'kept' ? '' : ` was ${was}`}>`
      return is === 'answer' ? `<answer: ${own}>` : own
    })
  return `${shown.join(' ')}${padding > 0 ? ` [PAD]/0 x ${padding}` : ''}`
}

/** Characters between blocks. */
const GAP = 3

/** Blocks of lines, as many in a row as there is room for. */
function besideEachOther(blocks: readonly string[][], columns: number): string[] {
  const width = Math.max(1, ...blocks.flatMap((block) => block.map((line) => line.length)))
  const inRow = Math.max(1, Math.floor((columns + GAP) / (width + GAP)))
  const lines: string[] = []
  for (let from = 0; from < blocks.length; from += inRow) {
    const row = blocks.slice(from, from + inRow)
    const height = Math.max(...row.map((block) => block.length))
    for (let i = 0; i < height; i++) {
      const line = row.map((block) => (block[i] ?? '').padEnd(width)).join(' '.repeat(GAP))
      lines.push(line.trimEnd())
    }
    lines.push('')
  }
  return lines
}
