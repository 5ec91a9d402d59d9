import { useEffect, useRef, useState } from 'react'
import { safeLink } from '../../engine/markdown/link.ts'
import { LinkTarget, Markdown } from '../markdown/Markdown.tsx'
import { documentHash } from '../ui/route.ts'
import { anchorOf, DOCUMENTS, foundLine, search } from './documents.ts'

const MAX_RESULTS = 20

/** The documents: one of them at a section, or all, and a search through all; without a name the section is a question. */
export function DocumentsPage({ name, section }: { name: string; section: string }) {
  const [query, setQuery] = useState(name ? '' : section)
  const shown = DOCUMENTS.find((each) => each.name === name)
  return (
    <main className="page documents">
      <input
        type="search"
        className="documents-search"
        placeholder="Search the documents"
        aria-label="Search the documents"
        value={query}
        data-testid="search-documents"
        onChange={(event) => setQuery(event.target.value)}
      />
      {query.trim() ? (
        <Found query={query} choose={() => setQuery('')} />
      ) : shown ? (
        <LinkTarget value={linkIn(shown.name)}>
          <Text key={shown.name} text={shown.text} section={section} />
        </LinkTarget>
      ) : (
        <>
          <h1 className="page-title">Documents</h1>
          {name && <p className="muted">There is no document '{name}'.</p>}
          <ul>
            {DOCUMENTS.map((each) => (
              <li key={each.name}>
                <a href={documentHash(each.name)}>{each.title}</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </main>
  )
}

/** A document; brings the section of that name into view. */
function Text({ text, section }: { text: string; section: string }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const headings = [...(box.current?.querySelectorAll('h1, h2, h3, h4') ?? [])]
    headings.find((heading) => anchorOf(heading.textContent ?? '') === section)?.scrollIntoView()
  }, [section])
  return (
    <div ref={box}>
      <Markdown source={text} />
    </div>
  )
}

function Found({ query, choose }: { query: string; choose(): void }) {
  const found = search(query)
  return (
    <>
      <h1 className="page-title">Documents</h1>
      <p className="muted" role="status">
        {found.length === 0 ? 'No section has these words.' : `${found.length} of all sections`}
      </p>
      <ul className="documents-found" data-testid="found-documents">
        {found.slice(0, MAX_RESULTS).map((each) => (
          <li key={`${each.document.name} ${each.heading}`}>
            <a href={documentHash(each.document.name, anchorOf(each.heading))} onClick={choose}>
              {each.document.title === each.heading ? each.heading : `${each.document.title}: ${each.heading}`}
            </a>
            <p className="muted">{foundLine(each, query)}</p>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Links of a document lead to the others; what they say of the sources has no address here. */
function linkIn(name: string): (href: string) => string | null {
  return (href) => {
    const [, other, anchor = ''] = /^(?:([\w-]+)\.md)?(?:#(.*))?$/.exec(href) ?? []
    if (other === undefined && !href.startsWith('#')) return safeLink(href)
    return documentHash(other ?? name, anchor)
  }
}
