import { searchThrough, stemsIn } from '../search/search.ts'

const TEXTS = import.meta.glob<string>('../../docs/*.md', { query: '?raw', import: 'default', eager: true })

/** A document that comes with Mixlab. */
export interface Document {
  /** `statistics` */
  name: string
  title: string
  text: string
}

/** A part of a document that begins with a heading. */
export interface Section {
  document: Document
  heading: string
  text: string
}

/** All documents, by title. */
export const DOCUMENTS: readonly Document[] = Object.entries(TEXTS)
  .map(([path, text]) => {
    const name = path.replace(/^.*\/|\.md$/g, '')
    return { name, title: /^# (.*)/.exec(text)?.[1] ?? name, text }
  })
  .sort((a, b) => a.title.localeCompare(b.title))

/** Its sections are results with a page of their own: only how to read them answers a question. */
const RESULTS = 'papers'

const answering = DOCUMENTS.flatMap((each) => sectionsOf(each).slice(0, each.name === RESULTS ? 1 : undefined))

/** The sections that answer a question, or have the words of a query, the best first. */
export const search = searchThrough(answering, ({ document, heading, text }) => [`${heading} ${document.title}`, text])

/** The line of a section that has the most words of a query, without the signs of Markdown. */
export function foundLine({ heading, text }: Section, query: string): string {
  const asked = new Set(stemsIn(query))
  const lines = text.split('\n').map((line) => ({ line, has: stemsIn(line).filter((stem) => asked.has(stem)).length }))
  const { line, has } = lines.reduce((best, each) => (each.has > best.has ? each : best), { line: heading, has: 0 })
  return (has > 0 ? line : heading)
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*_|#]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** What a heading is called in an address, as on GitHub. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

/** Cuts a document before its headings; those in code are none. */
function sectionsOf(document: Document): Section[] {
  const sections: Section[] = []
  let code = false
  for (const line of document.text.split('\n')) {
    if (line.startsWith('```')) code = !code
    const heading = code ? undefined : /^#+ (.*)/.exec(line)?.[1]
    const last = sections.at(-1)
    if (heading !== undefined || !last)
      sections.push({ document, heading: (heading ?? '').replaceAll('`', ''), text: '' })
    else last.text += `${line}\n`
  }
  return sections
}
