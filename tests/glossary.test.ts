import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands } from '../app/cli/index.ts'
import { anchorOf } from '../renderer/documents/documents.ts'

const docs = resolve(import.meta.dirname, '../docs')

/** A line of docs/glossary.md: a word, its other spellings behind commas, and the files and sections where it is. */
interface Entry {
  word: string
  line: string
  links: { file: string; section: string }[]
}

function read(path: string): string {
  return readFileSync(join(docs, path), 'utf8')
}

function entriesOf(glossary: string): Entry[] {
  const rows = glossary.split('\n').filter((line) => line.startsWith('| ') && !/^\| (word|---) /.test(line))
  return rows.map((line) => {
    const cells = line.split(' | ')
    const links = [...(cells[2] ?? '').matchAll(/\]\(([^)#]+)(?:#([^)]+))?\)/g)]
    return {
      word: (cells[0] ?? '').slice(2),
      line,
      links: links.map(([, file = '', section = '']) => ({ file, section })),
    }
  })
}

/** What is wrong with an entry, in words; nothing if it is true. */
function faultsOf({ word, line, links }: Entry): string[] {
  const faults: string[] = []
  if (links.length === 0) faults.push(`${word}: leads nowhere`)
  const there = links.filter(({ file }) => existsSync(join(docs, file)))
  for (const link of links) if (!there.includes(link)) faults.push(`${word}: no file ${link.file}`)
  for (const { file, section } of there) {
    const headings = [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
    if (section !== '' && !headings.includes(section)) faults.push(`${word}: no section ${section} in ${file}`)
  }
  const texts = there.map(({ file }) => read(file).toLowerCase())
  const spellings = word.toLowerCase().split(', ')
  if (!spellings.some((spelling) => texts.some((text) => text.includes(spelling)))) {
    faults.push(`${word}: not in ${links.map(({ file }) => file).join(', ')}`)
  }
  for (const [, command = ''] of line.matchAll(/`mixlab (\w+)/g)) {
    if (command !== 'help' && !(command in commands)) faults.push(`${word}: no command ${command}`)
  }
  return faults
}

describe('docs/glossary.md', () => {
  const entries = entriesOf(read('glossary.md'))

  it('says of at least 45 words where they are, in alphabetical order, each once', () => {
    const words = entries.map(({ word }) => word.toLowerCase())
    expect(words.length).toBeGreaterThanOrEqual(45)
    expect(words).toEqual([...new Set(words)].sort())
  })
  it('is true: files, sections and commands exist, and each word stands where it is said to be', () => {
    expect(entries.flatMap(faultsOf)).toEqual([])
  })
  it.each([
    'early stopping',
    'gradient clipping',
    'p-value',
    'data loader',
    'autograd',
    'hyperparameter',
    'sweep',
    'scheduler',
    'mixed precision',
    'dataset',
    'resume',
  ])('has %s', (word) => {
    expect(entries.map((entry) => entry.word)).toContain(word)
  })
  it('would be refused with another file, section, word or command', () => {
    const wrong = [
      '| seed | A seed. | [none.md](none.md) |',
      '| seed | A seed. | [statistics.md](statistics.md#no-such-section) |',
      '| attention rollout | A word. | [statistics.md](statistics.md) |',
      '| seed | See `mixlab sow`. | [statistics.md](statistics.md) |',
      '| seed | A seed. | somewhere |',
    ]
    for (const line of wrong) expect(entriesOf(line).flatMap(faultsOf), line).not.toEqual([])
  })
})
