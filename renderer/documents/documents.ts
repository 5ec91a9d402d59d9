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

const SECTIONS = DOCUMENTS.flatMap(sectionsOf)

/** The sections that have all words of a query, those with the most of them in the heading first. */
export function search(query: string): Section[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const within = (text: string) => words.filter((word) => text.toLowerCase().includes(word)).length
  return SECTIONS.filter(({ heading, text }) => within(`${heading}\n${text}`) === words.length).sort(
    (a, b) => within(b.heading) - within(a.heading),
  )
}

/** The first line of a section that has the first word of a query, without the signs of Markdown. */
export function foundLine({ heading, text }: Section, query: string): string {
  const [word = ''] = query.toLowerCase().split(/\s+/).filter(Boolean)
  const line = text.split('\n').find((each) => each.toLowerCase().includes(word)) ?? heading
  return line
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
