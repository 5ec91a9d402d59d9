// npm run prose: counts what is hard to read in documents, comments and the texts of the page and the commands, and fails
// where there is more of it than prose.json allows. `--write` lowers the allowed counts to those of now; `--show KIND RULE`
// prints the sentences that a rule counts.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { lexer, type Token, type Tokens } from 'marked'
import { parseSync } from 'vite'

const root = resolve(import.meta.dirname, '..')
const CEILING = join(import.meta.dirname, 'prose.json')

/** The rules of plain English that a program can count. Each says how often a sentence breaks it. */
const RULES: Record<string, (sentence: string) => number> = {
  'over 30 words': (sentence) => (wordsIn(sentence) > 30 ? 1 : 0),
  'clause as subject': (sentence) =>
    /^(What|Whatever|That|Those|Who|Whoever|Which|Whichever)\s(?!is\b|are\b|was\b|were\b)/.test(sentence) &&
    !sentence.endsWith('?')
      ? 1
      : 0,
  'of those, that of, such as it': (sentence) => count(sentence, /\b(of those|that of|those of|such as it)\b/gi),
  "word that is not the field's": (sentence) =>
    count(sentence, /\b(graphics cards?|operation by operation|looks? on the way|looked at after every seed)\b/gi),
}

type Kind = 'documents' | 'comments' | 'texts'
type Counts = Record<Kind, Record<string, number>>

/** Words of a sentence: runs of letters and digits, with what joins them. */
function wordsIn(sentence: string): number {
  return count(sentence, /[\p{L}\p{N}][\p{L}\p{N}'’.,/_-]*/gu)
}

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** The sentences of a paragraph; code in backquotes counts as one word. */
export function sentencesOf(paragraph: string): string[] {
  const plain = paragraph.replaceAll(/`[^`]*`/g, 'code').replaceAll(/\s+/g, ' ')
  return [...segmenter.segment(plain)].map(({ segment }) => segment.trim()).filter((part) => wordsIn(part) > 2)
}

/** The paragraphs, list items and table cells of a document, without its code and headings. */
export function paragraphsOf(markdown: string): string[] {
  const visit = (token: Token): string[] => {
    if (token.type === 'paragraph' || token.type === 'text') return [plainText(token)]
    if (token.type === 'table') return (token as Tokens.Table).rows.flat().map(({ text }) => text)
    if (token.type === 'list') return (token as Tokens.List).items.flatMap(({ tokens }) => tokens.flatMap(visit))
    return token.type === 'blockquote' ? (token.tokens ?? []).flatMap(visit) : []
  }
  return lexer(markdown).flatMap(visit)
}

/** The text of a paragraph without the addresses of its links. */
function plainText({ raw }: { raw: string }): string {
  return raw.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[*_]{1,2}(\S)/g, '$1')
}

/** A node of a syntax tree. */
interface Node {
  type: string
  [field: string]: unknown
}

/** The comments of a source, lines that follow each other joined, and the texts in it that are sentences. */
export function proseOfSource(path: string, source: string): { comments: string[]; texts: string[] } {
  const { program, comments } = parseSync(path, source)
  const blocks: string[] = []
  let end = -1
  for (const { type, value, start, end: own } of comments) {
    const follows = type === 'Line' && end >= 0 && /^\r?\n[ \t]*$/.test(source.slice(end, start))
    const text = value.replaceAll(/^[ \t]*\*+ ?/gm, '').trim()
    if (follows) blocks.push(`${blocks.pop()} ${text}`)
    else if (!/biome-ignore|@ts-|@vitest/.test(text)) blocks.push(text)
    end = type === 'Line' ? own : -1
  }
  const texts: string[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) visit(each)
    if (Array.isArray(node) || typeof node !== 'object' || node === null) return
    const { type, ...fields } = node as Node
    if (type === 'ImportDeclaration' || type === 'TSLiteralType') return
    if (type === 'Literal' && typeof fields.value === 'string') texts.push(fields.value)
    if (type === 'JSXText') texts.push(String(fields.value))
    if (type === 'TemplateLiteral') {
      const quasis = fields.quasis as { value: { cooked: string | null } }[]
      texts.push(quasis.map(({ value }) => value.cooked ?? '').join('X'))
    }
    for (const value of Object.values(fields)) visit(value)
  }
  visit(program)
  return { comments: blocks, texts: texts.filter(isProse) }
}

/** Whether a text is words for a reader rather than code, a selector or a shader. */
function isProse(text: string): boolean {
  const words = text.trim().split(/\s+/)
  if (words.length < 4 || words.filter((word) => /[a-z]{2}/i.test(word)).length < words.length / 2) return false
  return !/[{}=<>|]|\bimport\b|^\s*(select|insert|create|update|delete|with)\b/i.test(text)
}

/** All sentences of the project by kind. */
function sentencesOfProject(): Record<Kind, string[]> {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root })]
  const sources = globSync(['{engine,app,renderer,experiments,tests}/**/*.{ts,tsx}'], { cwd: root }).filter(
    (path) => !path.includes('node_modules') && !path.endsWith('.d.ts'),
  )
  const found: Record<Kind, string[]> = { documents: [], comments: [], texts: [] }
  for (const path of documents) found.documents.push(...paragraphsOf(read(path)).flatMap(sentencesOf))
  for (const path of sources) {
    const { comments, texts } = proseOfSource(path, read(path))
    found.comments.push(...comments.flatMap(sentencesOf))
    if (/^(engine|app|renderer)\//.test(path)) found.texts.push(...texts.flatMap(sentencesOf))
  }
  return found
}

function countsOf(sentences: Record<Kind, readonly string[]>): Counts {
  const of = (all: readonly string[]) =>
    Object.fromEntries(
      Object.entries(RULES).map(([rule, breaks]) => [rule, all.reduce((sum, each) => sum + breaks(each), 0)]),
    )
  return { documents: of(sentences.documents), comments: of(sentences.comments), texts: of(sentences.texts) }
}

function main(): void {
  const sentences = sentencesOfProject()
  const [, , option, kind, rule = ''] = process.argv
  if (option === '--show') {
    const all = sentences[kind as Kind] ?? []
    const breaks = Object.entries(RULES).find(([name]) => name.startsWith(rule))?.[1]
    for (const each of all) if (breaks?.(each)) console.log(each)
    return
  }
  const counts = countsOf(sentences)
  if (option === '--write') writeFileSync(CEILING, `${JSON.stringify(counts, null, 2)}\n`)
  const ceiling: Counts = JSON.parse(readFileSync(CEILING, 'utf8'))
  for (const [name, found] of Object.entries(counts) as [Kind, Counts[Kind]][]) {
    const all = sentences[name]
    const words = all.reduce((sum, each) => sum + wordsIn(each), 0)
    console.log(`${name}: ${words} words, ${all.length} sentences of ${(words / all.length).toFixed(1)} on average`)
    for (const [what, number] of Object.entries(found)) {
      const allowed = ceiling[name][what] ?? 0
      if (number > allowed) process.exitCode = 1
      const more = number > allowed ? `, ${number - allowed} too many: npm run prose -- --show ${name} '${what}'` : ''
      console.log(`  ${what}: ${number} of at most ${allowed}${more}`)
    }
  }
}

if (import.meta.main) main()
