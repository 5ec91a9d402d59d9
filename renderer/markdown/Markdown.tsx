import type { MarkedToken, Token, Tokens } from 'marked'
import { createContext, createElement, Fragment, type ReactNode, useContext, useMemo } from 'react'
import { heldPicture, safeLink } from '../../engine/markdown/link.ts'
import { Formula } from './Formula.tsx'
import { type Prose, proseOf, type SetMath } from './prose.ts'

const Target = createContext(safeLink)

/** Says where the links in Markdown below it lead: to an address, to a place of this page, or, by null, nowhere. */
export const LinkTarget = Target.Provider

/** Markdown as React elements, with formulas in TeX; HTML in it is shown as the text it is. */
export function Markdown({ source }: { source: string }) {
  return <ProseView prose={useMemo(() => proseOf(source), [source])} />
}

/** Markdown that was read before. */
export function ProseView({ prose }: { prose: Prose }) {
  return <div className="prose">{nodes(prose)}</div>
}

function nodes(tokens: Token[] | undefined): ReactNode {
  return each(tokens ?? [], (token) => node(token as MarkedToken | SetMath))
}

/** Elements with their places as keys: tokens have no identity and never move. */
function each<T>(items: T[], render: (item: T) => ReactNode): ReactNode {
  return createElement(Fragment, null, ...items.map(render))
}

function node(token: MarkedToken | SetMath): ReactNode {
  switch (token.type) {
    case 'math':
      return <Formula {...token} />
    case 'heading':
      return heading(token)
    case 'paragraph':
      return <p>{nodes(token.tokens)}</p>
    case 'text':
      return token.tokens ? nodes(token.tokens) : token.text
    case 'strong':
      return <strong>{nodes(token.tokens)}</strong>
    case 'em':
      return <em>{nodes(token.tokens)}</em>
    case 'del':
      return <del>{nodes(token.tokens)}</del>
    case 'codespan':
      return <code>{token.text}</code>
    case 'code':
      return <pre>{token.text}</pre>
    case 'blockquote':
      return <blockquote>{nodes(token.tokens)}</blockquote>
    case 'list':
      return list(token)
    case 'checkbox':
      return <input type="checkbox" checked={token.checked} readOnly tabIndex={-1} />
    case 'table':
      return table(token)
    case 'link':
      return <Link {...token} />
    case 'image':
      return heldPicture(token.href) ? <img src={token.href} alt={token.text} /> : token.text
    case 'br':
      return <br />
    case 'hr':
      return <hr />
    case 'space':
    case 'def':
      return null
    default:
      return token.text
  }
}

function heading({ depth, tokens }: Tokens.Heading): ReactNode {
  const Level = `h${Math.min(6, depth)}` as 'h1'
  return <Level>{nodes(tokens)}</Level>
}

function list({ ordered, start, items }: Tokens.List): ReactNode {
  const entries = each(items, (item) => <li>{nodes(item.tokens)}</li>)
  return ordered ? <ol start={Number(start) || 1}>{entries}</ol> : <ul>{entries}</ul>
}

function table({ header, rows }: Tokens.Table): ReactNode {
  const cells = (row: Tokens.TableCell[]) => each(row, cell)
  return (
    <table>
      <thead>
        <tr>{cells(header)}</tr>
      </thead>
      <tbody>
        {each(rows, (row) => (
          <tr>{cells(row)}</tr>
        ))}
      </tbody>
    </table>
  )
}

function cell({ header, align, tokens }: Tokens.TableCell): ReactNode {
  const Cell = header ? 'th' : 'td'
  return <Cell style={{ textAlign: align ?? 'left' }}>{nodes(tokens)}</Cell>
}

function Link({ href, tokens }: Tokens.Link): ReactNode {
  const address = useContext(Target)(href)
  if (!address) return nodes(tokens)
  if (address.startsWith('#')) return <a href={address}>{nodes(tokens)}</a>
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {nodes(tokens)}
    </a>
  )
}
