import { describe, expect, it, vi } from 'vitest'
import { matching } from '../../../renderer/commands/command.ts'
import { COMMANDS } from '../../../renderer/commands/commands.ts'
import { DOCUMENTS, search } from '../../../renderer/documents/documents.ts'
import { searchThrough, stemsIn } from '../../../renderer/search/search.ts'
import { QUESTIONS } from './questions.ts'

vi.mock('../../../renderer/session/run.ts', () => ({ interrupt() {}, restart() {}, runAll() {}, runCells() {} }))
vi.mock('../../../renderer/ui/theme.ts', () => ({}))
vi.mock('../../../renderer/editor/monaco.ts', () => ({ monaco: {} }))

const commands = (question: string) => matching(COMMANDS, question).map(({ name }) => name)
const sections = (question: string) => search(question).map(({ document, heading }) => `${document.name}: ${heading}`)

describe('what a person asks', () => {
  it.each(QUESTIONS)('%s: %s', (question, answer) => {
    const answers = DOCUMENTS.some(({ name }) => answer.startsWith(`${name}: `)) ? sections : commands
    expect(answers(question).slice(0, 3).join(' | ')).toContain(answer)
  })
})

it('a question about something else than commands finds none of them', () => {
  expect(commands('how do I change the learning rate')).toEqual([])
})

describe('stems', () => {
  it.each([
    ['train', 'trains trained training trainer'],
    ['study', 'studies'],
    ['loss', 'losses'],
    ['stop', 'stops stopped stopping'],
    ['rate', 'rates'],
    ['image', 'images'],
  ])('of %s and %s are the same', (word, others) => {
    expect(new Set(stemsIn(others))).toEqual(new Set(stemsIn(word)))
  })

  it('of names in code are those of their words', () => {
    expect(stemsIn('learningRate: 1e-3')).toEqual([...stemsIn('learning rate'), '1e', '3'])
  })
})

describe('a search', () => {
  const find = searchThrough(['seeds of a study', 'seeds', 'weights'], (text) => [text, ''])

  it('puts first what has more of the words, and drops what has much less', () => {
    expect(find('seeds of which study')).toEqual(['seeds of a study'])
    expect(find('seed')).toEqual(['seeds of a study', 'seeds'])
    expect(find('weig')).toEqual(['weights'])
  })

  it('finds nothing for words that say nothing, or that nothing has', () => {
    for (const query of ['', '  ', 'how do I', '?!', 'nosuchword', '\u0000']) expect(find(query)).toEqual([])
  })
})
